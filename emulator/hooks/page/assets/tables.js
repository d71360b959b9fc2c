// A table that sorts by a click on a column's head and filters by what is typed; numbers get a bar in their cell.
function showTable(table) {
  const isNumber = table.columns.map((_, c) => table.rows.length > 0 && table.rows.every(row => typeof row[c] === 'number'));
  const most = table.columns.map((_, c) => isNumber[c] ? Math.max(...table.rows.map(row => row[c])) : 0);
  const bars = table.columns.map((column, c) => isNumber[c] && table.rows.length > 1 && most[c] > 0 && !/^(launch|cta|warp|sm|thread|start|stop|from|below|line|seq|seed|bit)$/.test(column));
  const body = make('tbody');
  const rows = table.rows.map(row => {
    const cells = row.map((value, c) => {
      const cell = make('td', {class: isNumber[c] ? 'number' : 'text'}, shown(value));
      if (bars[c]) cell.style.setProperty('--share', `${100 * value / most[c]}%`), cell.classList.add('bar');
      return cell;
    });
    return {row, element: make('tr', {}, ...cells), text: row.map(shown).join(' ').toLowerCase()};
  });
  const limit = 40;
  let all = false, order = rows;
  const more = make('button', {class: 'more', type: 'button'});
  const filter = make('input', {type: 'search', placeholder: 'filter rows', 'aria-label': 'filter rows'});
  function draw() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    const left = order.filter(({text}) => wanted.every(word => text.includes(word)));
    body.replaceChildren(...(all ? left : left.slice(0, limit)).map(({element}) => element));
    more.hidden = all || left.length <= limit;
    more.textContent = `show all ${shown(left.length)} rows`;
  }
  const heads = table.columns.map((column, c) => {
    const button = make('button', {type: 'button', title: 'sort by this column'}, nameOf(column));
    const head = make('th', {scope: 'col', class: isNumber[c] ? 'number' : 'text'}, button);
    if (unitOf(column)) head.append(make('span', {class: 'unit'}, unitOf(column)));
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      // Names like "ptx:99" sort by the numbers in them.
      const compare = isNumber[c] ? (a, b) => a - b : (a, b) => String(a).localeCompare(String(b), 'en', {numeric: true});
      order = [...rows].sort((a, b) => (down === isNumber[c] ? -1 : 1) * compare(a.row[c], b.row[c]));
      draw();
    });
    return head;
  });
  filter.addEventListener('input', draw);
  more.addEventListener('click', () => { all = true; draw(); });
  draw();
  const wide = make('div', {class: 'wide'}, make('table', {}, make('thead', {}, make('tr', {}, ...heads)), body));
  if (table.rows.length === 0) return make('p', {class: 'quiet'}, 'no rows');
  return make('div', {}, ...(table.rows.length > 8 ? [filter] : []), wide, more);
}

// Tables that name places of a kernel become columns of heat beside its instructions and its source lines.
function metricsOf(kernel, tools) {
  const metrics = [];
  for (const tool of tools)
    for (const table of tool.tables) {
      const at = name => table.columns.indexOf(name);
      const place = at('place'), named = at('kernel'), text = at('instruction');
      if (place < 0 || (named < 0 && !table.title.endsWith(`: ${kernel.name}`))) continue;
      const rows = named < 0 ? table.rows : table.rows.filter(row => row[named] === kernel.name);
      table.columns.forEach((column, c) => {
        if (rows.length === 0 || /^(launch|cta|thread|lanes?)$/.test(column) || !rows.every(row => typeof row[c] === 'number')) return;
        const values = new Map();
        for (const row of rows) values.set(text < 0 ? row[place] : `${row[place]} ${row[text]}`, row[c]);
        // A tool may tell the same of instructions and of lines.
        const name = `${tool.name}: ${nameOf(column)}`, isTold = metrics.some(metric => metric.name === name);
        metrics.push({name: isTold && text < 0 ? `${name} of the line` : name, unit: unitOf(column), byInstruction: text >= 0, values, most: Math.max(...values.values())});
      });
    }
  return metrics;
}

function valueAt(metric, line) {
  return metric.values.get(metric.byInstruction ? `${line.place} ${line.text}` : line.place);
}

function heatCell(metric, value) {
  if (value === undefined) return make('td', {class: 'number'});
  const cell = make('td', {class: 'number heat'}, shown(value));
  cell.style.setProperty('--heat', metric.most > 0 ? value / metric.most : 0);
  return cell;
}

// Lines of source in order; a metric of instructions is summed over a line's, unless it is a share.
function sourceRows(kernel, sources, chosen) {
  const lines = new Map();
  for (const line of kernel.lines)
    if (line.source_line) lines.set(line.place, [...(lines.get(line.place) || []), line]);
  const rows = [...lines.entries()].sort((a, b) => a[1][0].source_file.localeCompare(b[1][0].source_file) || a[1][0].source_line - b[1][0].source_line);
  return rows.map(([place, members]) => {
    const text = (sources[members[0].source_file] || [])[members[0].source_line - 1] || '';
    const cells = chosen.map(metric => {
      if (!metric.byInstruction) return heatCell(metric, metric.values.get(place));
      const own = [...new Set(members.map(line => `${line.place} ${line.text}`))].map(key => metric.values.get(key)).filter(value => value !== undefined);
      if (own.length === 0) return heatCell(metric, undefined);
      return heatCell(metric, metric.unit === '%' ? Math.max(...own) : own.reduce((sum, value) => sum + value, 0));
    });
    return make('tr', {}, make('td', {class: 'at'}, place), make('td', {class: 'text'}, make('code', {}, text)), ...cells);
  });
}

function ptxRows(kernel, chosen) {
  let block = -1;
  return kernel.lines.map(line => {
    const row = make('tr', line.block !== block ? {class: 'block'} : {},
      make('td', {class: 'at'}, `${line.ptx_line}`), make('td', {class: 'text'}, make('code', {}, line.text)),
      ...chosen.map(metric => heatCell(metric, valueAt(metric, line))));
    if (line.source_line) row.title = `${line.source_file}:${line.source_line}`;
    block = line.block;
    return row;
  });
}

function showCode(kernel, tools, sources) {
  const metrics = metricsOf(kernel, tools);
  const chosen = new Set(metrics.slice(0, 4)), hasSource = kernel.lines.some(line => line.source_line);
  let view = 'PTX';
  const holder = make('div', {class: 'wide code'});
  function draw() {
    const columns = metrics.filter(metric => chosen.has(metric));
    const heads = columns.map(metric => make('th', {class: 'number'}, metric.name, make('span', {class: 'unit'}, metric.unit)));
    holder.replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'line'), make('th', {}, view), ...heads)),
      make('tbody', {}, ...(view === 'PTX' ? ptxRows(kernel, columns) : sourceRows(kernel, sources, columns)))));
  }
  const choices = metrics.map(metric => {
    const box = make('input', chosen.has(metric) ? {type: 'checkbox', checked: ''} : {type: 'checkbox'});
    box.addEventListener('change', () => { box.checked ? chosen.add(metric) : chosen.delete(metric); draw(); });
    return make('label', {}, box, ` ${metric.name}`);
  });
  const views = (hasSource ? ['PTX', 'source'] : []).map(name => {
    const button = make('button', {type: 'button', 'aria-pressed': name === view}, name);
    button.addEventListener('click', () => {
      view = name;
      views.forEach(other => other.setAttribute('aria-pressed', other === button));
      draw();
    });
    return button;
  });
  draw();
  return make('div', {}, make('p', {class: 'choices'}, ...views, ...choices), holder);
}

// The table of times.html: rows of times.js, [page, form, operands, latency, interval, rate, device, instructions, doubts, and the other device's latency, interval, rate].
const most = 300;
const body = document.querySelector('#times tbody');
const words = document.getElementById('words');
const heads = [...document.querySelectorAll('#times th')];
// Fields of a row in the order of the columns, and those that are numbers; "=" of the other device is the same as here.
const fields = heads.length === 11 ? [1, 2, 3, 4, 5, 6, 9, 10, 11, 7, 8] : [1, 2, 3, 4, 5, 6, 7, 8];
const other = heads.length === 11 ? heads[6].textContent.split(', ')[1] : '';
const here = {9: 3, 10: 4, 11: 5};
const isNumber = field => field === 3 || field === 4 || field === 5 || field > 8;
const text = (row, field) => row[field] === '=' ? row[here[field]] : row[field] ?? '';
const numbers = text => (text.match(/[0-9.e+-]+$|=[0-9.e+-]+/g) ?? []).map(one => Number(one.replace('=', '')));
const near = (one, two) => one.length === two.length && one.every((number, index) => Math.abs(two[index] / number - 1) < 0.005);  // two runs differ by that
const differs = row => row.length > 9 && row[6] !== other && [9, 10, 11].some(field => !near(numbers(text(row, here[field])), numbers(text(row, field))));
const texts = times.map(row => (row[1] + ' ' + (row[8] === 'probe' ? row[2] : '') + ' ' + row[6] + ' ' + row[7] + ' ' + row[8] + (differs(row) ? ' differs' : '')).toLowerCase());
let column = 0, up = true;

// The largest latency, or the number itself; rows without one come last.
function weight(row) {
  const found = numbers(text(row, fields[column]));
  return found.length ? Math.max(...found) : (up ? Infinity : -Infinity);
}

function compare(a, b) {
  const field = fields[column];
  const order = isNumber(field) ? (weight(a) < weight(b) ? -1 : weight(a) > weight(b) ? 1 : 0) : text(a, field).localeCompare(text(b, field));
  return up ? order : -order;
}

function show() {
  const wanted = words.value.toLowerCase().split(/[^a-z0-9_:=]+/).filter(word => word);
  const hits = times.filter((row, index) => wanted.every(word => texts[index].includes(word))).sort(compare);
  document.getElementById('count').textContent = hits.length > most ? `${hits.length} forms, the first ${most} of them` : `${hits.length} forms`;
  body.textContent = '';
  for (const row of hits.slice(0, most)) {
    const line = body.insertRow();
    fields.forEach((field, index) => {
      const cell = line.insertCell();
      cell.textContent = text(row, field);
      if (row[field] === '=') cell.className = 'same';
      if (index > 0) cell.dataset.head = heads[index].textContent;  // where there is no room for columns
    });
    if (!row[0]) continue;
    const link = document.createElement('a');
    link.href = row[0];
    link.textContent = row[1];
    line.cells[0].replaceChildren(link);
  }
}

heads.forEach((heading, index) => heading.addEventListener('click', () => {
  up = column === index ? !up : true;
  column = index;
  show();
}));
words.addEventListener('input', show);
show();

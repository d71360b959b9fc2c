// The table of times.html: rows of times.js, [page, form, operands, latency, interval, rate, instructions, doubts].
const most = 300;
const body = document.querySelector('#times tbody');
const words = document.getElementById('words');
const heads = [...document.querySelectorAll('#times th')];
const texts = times.map(row => (row[1] + ' ' + (row[7] === 'probe' ? row[2] : '') + ' ' + row[6] + ' ' + row[7]).toLowerCase());
let column = 0, up = true;

// The largest latency, or the number itself; rows without one come last.
function weight(row) {
  const numbers = row[column + 1].match(/[0-9.e+-]+$|=[0-9.e+-]+/g);
  return numbers ? Math.max(...numbers.map(one => Number(one.replace('=', '')))) : (up ? Infinity : -Infinity);
}

function compare(a, b) {
  const numeric = column === 2 || column === 3 || column === 4;
  const order = numeric ? (weight(a) < weight(b) ? -1 : weight(a) > weight(b) ? 1 : 0) : a[column + 1].localeCompare(b[column + 1]);
  return up ? order : -order;
}

function show() {
  const wanted = words.value.toLowerCase().split(/[^a-z0-9_:=]+/).filter(word => word);
  const hits = times.filter((row, index) => wanted.every(word => texts[index].includes(word))).sort(compare);
  document.getElementById('count').textContent = hits.length > most ? `${hits.length} forms, the first ${most} of them` : `${hits.length} forms`;
  body.textContent = '';
  for (const row of hits.slice(0, most)) {
    const line = body.insertRow();
    row.slice(1).forEach((text, index) => {
      const cell = line.insertCell();
      cell.textContent = text;
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

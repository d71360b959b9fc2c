const box = document.querySelector('nav input');
const found = document.getElementById('found');
const rows = Array.from(document.querySelectorAll('#chapters tr'), row => [row, wordsOf(row.textContent)]);
const most = 200;
let forms = null;  // [page, form, parts of the form], when forms.js has come

function wordsOf(text) { return text.toLowerCase().split(/[^a-z0-9_]+/).filter(word => word); }

// The many forms are asked for when somebody types.
function load() {
  if (forms) return;
  forms = [];
  const script = document.createElement('script');
  script.src = 'forms.js';
  script.onload = () => {
    for (const [page, packed] of families) {
      let form = '';
      for (const word of packed.split(' ')) {
        form = form.slice(0, parseInt(word.slice(0, 2), 16)) + word.slice(2);
        forms.push([page, form, wordsOf(form)]);
      }
    }
    show();
  };
  document.body.appendChild(script);
}

// Instructions by their name and what they do.
function filter(words) {
  let count = 0;
  for (const [row, own] of rows) {
    row.hidden = !words.every(word => own.some(one => one.startsWith(word)));
    if (!row.hidden) ++count;
  }
  for (const chapter of document.querySelectorAll('#chapters section'))
    chapter.hidden = !chapter.querySelector('tr:not([hidden])');
  return count;
}

// Forms by the first letters of their parts.
function show() {
  const words = wordsOf(box.value);
  const instructions = filter(words);
  document.getElementById('chapters-list').hidden = words.length > 0;
  found.textContent = '';
  document.getElementById('none').hidden = instructions > 0;
  if (words.length === 0) return;
  load();
  const hits = forms.filter(([page, form, parts]) => words.every(word => parts.some(part => part.startsWith(word))));
  if (hits.length === 0) return;
  document.getElementById('none').hidden = true;
  const title = found.appendChild(document.createElement('h2'));
  title.textContent = hits.length > most ? `${hits.length} forms, the first ${most} of them` : `${hits.length} form${hits.length === 1 ? '' : 's'}`;
  for (const [page, form] of hits.slice(0, most)) {
    const link = found.appendChild(document.createElement('a'));
    link.href = page;
    link.textContent = form;
  }
}

box.placeholder = 'setp lt f32, or what it does';
box.value = new URLSearchParams(location.search).get('q') || '';
box.form.addEventListener('submit', event => {
  event.preventDefault();
  const first = document.querySelector('#chapters tr:not([hidden]) a') || found.querySelector('a');
  if (box.value && first) location.href = first.href;
});
box.addEventListener('input', show);
box.focus();
show();

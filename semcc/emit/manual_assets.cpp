#include "semcc/emit/manual_assets.h"

namespace semcc::emit {

const char* const manual_style = R"(:root {
  color-scheme: light dark;
  --ink: #1d2430; --paper: #fdfcf9; --quiet: #6b7280; --line: #e3dfd5; --tint: #f4f1e9;
  --keyword: #9a3412; --string: #166534; --number: #1d4ed8; --best: #166534; --mixed: #92400e;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e2da; --paper: #16181d; --quiet: #9097a3; --line: #30343d; --tint: #1f2229;
          --keyword: #f0a36b; --string: #86c98f; --number: #8ab4f8; --best: #86c98f; --mixed: #f0c36b; }
}
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Georgia, serif; }
nav, main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem; }
nav { display: flex; gap: 1rem; align-items: center; padding-bottom: 0; }
nav form { flex: 1; max-width: 24rem; margin-left: auto; }
a { color: var(--number); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 2rem; margin: .5rem 0; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 0; border-top: 1px solid var(--line); padding-top: 1rem; overflow-wrap: anywhere; }
h2 a { color: inherit; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
.where, .count, .parts { color: var(--quiet); font-size: .9rem; margin: 0; }
.parts { margin-top: .4rem; } .parts a, #chapters-list a { margin-right: .5rem; display: inline-block; }
.summary { margin: .3rem 0; font-size: 1.05rem; }
code, pre { font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--tint); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; margin: .3rem 0; }
table { border-collapse: collapse; width: 100%; }
.wide { overflow-x: auto; }
td, th { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: normal; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
summary { cursor: pointer; }
.forms p { margin: .8rem 0 .2rem; font-size: .9rem; color: var(--quiet); } .forms pre { max-height: 22rem; overflow-y: auto; }
input { width: 100%; box-sizing: border-box; font: inherit; color: inherit; background: var(--tint);
        border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; }
.badge { font-size: .75rem; font-weight: normal; border: 1px solid; border-radius: 1rem; padding: .05rem .5rem; white-space: nowrap; vertical-align: middle; }
.best { color: var(--best); } .mixed { color: var(--mixed); }
.contents { list-style: none; padding: 0; } .contents a { margin-right: .6rem; }
.opcodes td:first-child { width: 17rem; overflow-wrap: anywhere; } .opcodes td:nth-child(3) { color: var(--quiet); white-space: nowrap; text-align: right; }
#found a { display: block; font: .85rem/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
@media (max-width: 40rem) {
  nav, main { padding: .8rem 1rem; }
  .opcodes, .opcodes tbody, .opcodes tr, .opcodes td { display: block; }
  .opcodes tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .opcodes td { border: 0; padding: 0; } .opcodes td:first-child { width: auto; }
  .opcodes td:nth-child(n+3) { display: inline-block; margin-right: .6rem; font-size: .85rem; }
}
.k { color: var(--keyword); } .s { color: var(--string); } .n { color: var(--number); } .c { color: var(--quiet); font-style: italic; }
)";

const char* const manual_search = R"(const box = document.querySelector('nav input');
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
)";

}  // namespace semcc::emit

#include "semcc/emit/manual_assets.h"

namespace semcc::emit {

const char* const manual_style = R"(:root {
  --ink: #1d2430; --paper: #fdfcf9; --quiet: #6b7280; --line: #e3dfd5; --tint: #f4f1e9;
  --keyword: #9a3412; --string: #166534; --number: #1d4ed8;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e2da; --paper: #16181d; --quiet: #9097a3; --line: #30343d; --tint: #1f2229;
          --keyword: #f0a36b; --string: #86c98f; --number: #8ab4f8; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Georgia, serif; }
nav, main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem; }
nav { padding-bottom: 0; }
a { color: var(--number); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 2rem; margin: .5rem 0; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 0; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
.where, .count { color: var(--quiet); font-size: .9rem; margin: 0; }
code, pre { font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--tint); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; margin: .3rem 0; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: normal; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
summary { cursor: pointer; margin-top: 1.4rem; }
input { width: 100%; box-sizing: border-box; font: inherit; color: inherit; background: var(--tint);
        border: 1px solid var(--line); border-radius: 6px; padding: .5rem .8rem; }
.summary { margin: .3rem 0; }
.opcodes td:first-child { width: 15rem; } .opcodes td:last-child { color: var(--quiet); white-space: nowrap; }
.contents { list-style: none; padding: 0; } .contents a { margin-right: .6rem; }
#found { list-style: none; padding: 0; }
@media (max-width: 40rem) { .opcodes td { display: block; border: 0; padding: 0; } .opcodes tr { display: block; padding: .4rem 0; } }
.k { color: var(--keyword); } .s { color: var(--string); } .n { color: var(--number); } .c { color: var(--quiet); font-style: italic; }
)";

const char* const manual_search = R"(const box = document.getElementById('search');
const found = document.getElementById('found');
const rows = Array.from(document.querySelectorAll('#chapters tr'), row => [row, wordsOf(row.textContent)]);
const most = 200;

function wordsOf(text) { return text.toLowerCase().split(/[^a-z0-9_]+/).filter(word => word); }

// Instructions by their name and what they do.
function filter(words) {
  for (const [row, own] of rows) row.hidden = !words.every(word => own.some(one => one.startsWith(word)));
  for (const chapter of document.querySelectorAll('#chapters section'))
    chapter.hidden = !chapter.querySelector('tr:not([hidden])');
}

// Forms by the first letters of their parts.
function show() {
  const words = wordsOf(box.value);
  filter(words);
  found.textContent = '';
  if (words.length === 0) return;
  let count = 0;
  for (const [page, forms] of families) {
    for (const form of forms) {
      const parts = form.toLowerCase().split('.');
      if (!words.every((word, i) => i === 0 ? form.toLowerCase().includes(word) : parts.some(part => part.startsWith(word)))) continue;
      if (++count > most) continue;
      const item = found.appendChild(document.createElement('li'));
      const link = item.appendChild(document.createElement('a'));
      link.href = page;
      link.textContent = form;
    }
  }
  const total = document.createElement('li');
  total.className = 'count';
  total.textContent = count > most ? `${count} forms, the first ${most} shown` : `${count} forms`;
  found.prepend(total);
}

box.addEventListener('input', show);
show();
)";

}  // namespace semcc::emit

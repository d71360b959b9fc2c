// The page in order: what was run, its tables, each tool, the code.
const page = JSON.parse(document.getElementById('data').textContent);
const main = document.querySelector('main'), contents = document.querySelector('nav');

function section(title, id, ...children) {
  contents.append(make('a', {href: `#${id}`}, title));
  main.append(make('section', {id}, make('h2', {}, title), ...children));
}

function showTables(tables) {
  return tables.flatMap(table => [make('h3', {}, table.title), chartOf(table) || '', showTable(table)]);
}

function showFinding(finding) {
  const where = [finding.kernel && `kernel ${finding.kernel}`, finding.source_line && `${finding.source_file}:${finding.source_line}`,
                 finding.ptx_line && `${finding.ptx_file}:${finding.ptx_line}`, finding.kernel && `CTA ${shown(finding.cta)} thread ${finding.thread}`];
  return make('li', {class: `finding ${finding.severity}`}, make('span', {class: 'badge'}, finding.severity), ' ', make('strong', {}, finding.kind), ' ', finding.message,
    make('div', {class: 'quiet'}, where.filter(part => part).join(' · ')), ...(finding.instruction ? [make('code', {}, finding.instruction)] : []));
}

function showTool(tool) {
  const parts = [];
  if (tool.definitions) {
    const definitions = make('details', {}, make('summary', {}, 'what the columns mean'));
    const text = make('div', {});
    text.innerHTML = tool.definitions;  // made by us from the tool's README, markup in it left out
    definitions.append(text);
    parts.push(definitions);
  }
  for (const note of tool.notes) parts.push(make('p', {class: 'note'}, note));
  if (tool.findings.length) parts.push(make('ul', {class: 'findings'}, ...tool.findings.map(showFinding)));
  return [...parts, ...showTables(tool.tables)];
}

if (page.facts.length) {
  const rows = page.facts.map(([name, value]) => make('tr', {}, make('th', {scope: 'row'}, name), make('td', {}, value)));
  main.append(make('div', {class: 'wide'}, make('table', {class: 'facts'}, ...rows)));
}
for (const note of page.notes) main.append(make('p', {class: 'note'}, note));
if (page.tables.length) section('results', 'results', ...showTables(page.tables));
page.tools.forEach((tool, t) => section(tool.name, `tool-${t}`, ...showTool(tool)));
page.kernels.forEach((kernel, k) => {
  const found = page.tools.some(tool => tool.findings.some(finding => finding.kernel === kernel.name));
  if (found || metricsOf(kernel, page.tools).length) section(`code of ${kernel.name}`, `kernel-${k}`, showCode(kernel, page.tools, page.sources));
});
if (location.hash) location.replace(location.hash);

// What the columns of a table call for, or null: a timeline, a roofline, a histogram.
function chartOf(table) {
  const at = name => table.columns.indexOf(name);
  if (table.rows.length === 0) return null;
  if (at('start') >= 0 && at('stop') >= 0) return timeline(table, at('start'), at('stop'));
  if (at('bend') > 0 && at('attainable_gflops') >= 0) return roofline(table, at('bend') - 1, at('bend'), at('attainable_gflops'));
  if (at('from') >= 0 && at('below') >= 0) return histogram(table, at('from'), at('below'));
  return null;
}

const frame = {width: 760, height: 320, left: 80, right: 16, top: 16, bottom: 48};

function axes(svg, x, y, xTitle, yTitle) {
  const {width, height, left, right, top, bottom} = frame;
  for (const [at, label] of x) {
    svg.append(make('line', {x1: at, x2: at, y1: top, y2: height - bottom, class: 'grid'}));
    svg.append(make('text', {x: at, y: height - bottom + 16, 'text-anchor': 'middle'}, label));
  }
  for (const [at, label] of y) {
    svg.append(make('line', {x1: left, x2: width - right, y1: at, y2: at, class: 'grid'}));
    svg.append(make('text', {x: left - 6, y: at + 4, 'text-anchor': 'end'}, label));
  }
  svg.append(make('text', {x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle', class: 'axis'}, xTitle));
  svg.append(make('text', {x: 14, y: (top + height - bottom) / 2, 'text-anchor': 'middle', class: 'axis',
                           transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, yTitle));
}

const drawing = label => make('svg', {viewBox: `0 0 ${frame.width} ${frame.height}`, role: 'img', 'aria-label': label});

// Bars of a range each; the first column of numbers behind `below` is their height.
function histogram(table, from, below) {
  const value = table.columns.findIndex((_, c) => c > below && typeof table.rows[0][c] === 'number');
  if (value < 0) return null;
  const {width, height, left, right, top, bottom} = frame, rows = table.rows;
  const most = Math.max(...rows.map(row => row[value])) || 1;
  const svg = drawing(table.title), step = (width - left - right) / rows.length;
  const up = amount => height - bottom - amount / most * (height - top - bottom);
  const every = Math.ceil(rows.length / 12);
  axes(svg, rows.map((row, i) => [left + i * step, shown(row[from])]).filter((_, i) => i % every === 0),
       ticks(0, most, 5).map(tick => [up(tick), shown(tick)]), table.title, nameOf(table.columns[value]));
  rows.forEach((row, i) => svg.append(make('rect', {x: left + i * step + 1, width: Math.max(step - 2, 1), y: up(row[value]), height: height - bottom - up(row[value]), class: 'mark'},
                                           make('title', {}, `${shown(row[from])} to ${shown(row[below])}: ${shown(row[value])}`))));
  return svg;
}

// Both axes logarithmic; a dot a kernel.
function roofline(table, intensity, bend, attainable) {
  const rows = table.rows.filter(row => row[intensity] > 0 && row[bend] > 0 && row[attainable] > 0);
  if (rows.length === 0) return null;
  const {width, height, left, right, top, bottom} = frame, corner = rows[0][bend];
  const peak = Math.max(...rows.map(row => row[intensity] < corner ? row[attainable] / row[intensity] * corner : row[attainable]));
  const xs = [...rows.map(row => row[intensity]), corner].map(Math.log10);
  const x0 = Math.floor(Math.min(...xs) - .3), x1 = Math.ceil(Math.max(...xs) + .3);
  const y0 = Math.floor(Math.log10(peak * 10 ** x0 / corner)), y1 = Math.ceil(Math.log10(peak) + .1);
  const across = log => left + (log - x0) / (x1 - x0) * (width - left - right);
  const up = log => height - bottom - (log - y0) / (y1 - y0) * (height - top - bottom);
  const powers = (low, high) => Array.from({length: high - low + 1}, (_, i) => low + i);
  const svg = drawing(table.title), label = power => shown(10 ** power);
  axes(svg, powers(x0, x1).map(p => [across(p), label(p)]), powers(y0, y1).map(p => [up(p), label(p)]), 'operations per byte of global memory', 'Gflop/s');
  const roof = [[x0, Math.log10(peak) + x0 - Math.log10(corner)], [Math.log10(corner), Math.log10(peak)], [x1, Math.log10(peak)]];
  svg.append(make('path', {class: 'roof', d: 'M' + roof.map(([x, y]) => `${across(x)} ${up(y)}`).join('L')}));
  for (const row of rows) {
    const x = across(Math.log10(row[intensity])), y = up(Math.log10(row[attainable])), right = x > width / 2;
    svg.append(make('circle', {cx: x, cy: y, r: 5, class: 'mark'}, make('title', {}, `${row[0]}: ${shown(row[intensity])} operations per byte, at most ${shown(row[attainable])} Gflop/s`)));
    svg.append(make('text', {x: x + (right ? -9 : 9), y: y + 14, 'text-anchor': right ? 'end' : 'start'}, String(row[0]).slice(0, 48)));
  }
  return svg;
}

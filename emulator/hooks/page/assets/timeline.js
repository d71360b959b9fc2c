// Rows as bars over time, on a canvas: the wheel zooms at the pointer, dragging moves, a double click shows all again.
function timeline(table, start, stop) {
  const rows = table.rows, line = 14, left = 190, bottom = 34;
  const kinds = {busy: table.columns.indexOf('busy'), waiting: table.columns.indexOf('waiting')};
  const first = Math.min(...rows.map(row => row[start])), last = Math.max(...rows.map(row => row[stop]), first + 1);
  let from = first, to = last, top = 0;
  const canvas = make('canvas', {tabindex: 0, 'aria-label': `${table.title}: ${rows.length} rows over time`});
  const hint = make('p', {class: 'quiet'}, 'wheel: zoom · drag: move · double click: all');
  const label = row => row.slice(0, start).map((value, c) => typeof value === 'number' ? `${table.columns[c]} ${value}` : '').filter(text => text).join(' ');
  const height = Math.min(rows.length * line, 480) + bottom;

  function draw() {
    const style = getComputedStyle(document.documentElement), scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth || 760;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const c = canvas.getContext('2d'), ink = name => style.getPropertyValue(name).trim();
    c.scale(scale, scale);
    c.font = '11px system-ui, sans-serif';
    const at = time => left + (time - from) / (to - from) * (width - left - 8);
    c.strokeStyle = ink('--line');
    c.fillStyle = ink('--quiet');
    c.textAlign = 'center';
    for (const tick of ticks(from, to, Math.max(2, (width - left) / 110))) {
      c.beginPath(), c.moveTo(at(tick), 0), c.lineTo(at(tick), height - bottom + 4), c.stroke();
      c.fillText(shown(Math.round(tick)), at(tick), height - bottom + 16);
    }
    c.fillText('cycles', (left + width) / 2, height - 4);
    c.save();
    c.beginPath(), c.rect(0, 0, width, height - bottom), c.clip();
    for (let r = Math.floor(top / line); r < rows.length && r * line - top < height - bottom; ++r) {
      const row = rows[r], y = r * line - top;
      c.textAlign = 'left';
      c.fillStyle = ink('--quiet');
      c.fillText(label(row), 0, y + 11, left - 8);
      const x = Math.max(at(row[start]), left), end = Math.min(at(row[stop]), width - 8);
      if (end < left || x > width) continue;
      c.fillStyle = ink('--number');
      c.fillRect(x, y + 2, Math.max(end - x, 1), line - 4);
    }
    c.restore();
  }

  const timeAt = x => from + (x - left) / ((canvas.clientWidth || 760) - left - 8) * (to - from);
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    if (event.shiftKey) {
      top = Math.max(0, Math.min(rows.length * line - height + bottom, top + event.deltaY));
    } else {
      const center = timeAt(event.offsetX), factor = event.deltaY > 0 ? 1.25 : .8;
      const span = Math.min((to - from) * factor, last - first);
      from = Math.max(first, center - (center - from) / (to - from) * span);
      to = Math.min(last, from + Math.max(span, 1));
    }
    draw();
  }, {passive: false});
  let grip = null;
  canvas.addEventListener('pointerdown', event => { grip = [event.offsetX, event.offsetY, from, to, top]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener('pointerup', () => grip = null);
  canvas.addEventListener('pointermove', event => {
    if (grip === null) {
      const row = rows[Math.floor((event.offsetY + top) / line)];
      canvas.title = row && event.offsetY < height - bottom
        ? row.map((value, c) => `${nameOf(table.columns[c])} ${shown(value)}`).join(', ') : '';
      return;
    }
    const [x, y, oldFrom, oldTo, oldTop] = grip, moved = (x - event.offsetX) / ((canvas.clientWidth || 760) - left - 8) * (oldTo - oldFrom);
    const shift = Math.max(first - oldFrom, Math.min(last - oldTo, moved));
    [from, to] = [oldFrom + shift, oldTo + shift];
    top = Math.max(0, Math.min(rows.length * line - height + bottom, oldTop + y - event.offsetY));
    draw();
  });
  canvas.addEventListener('dblclick', () => { [from, to, top] = [first, last, 0]; draw(); });
  canvas.style.height = `${height}px`;
  new ResizeObserver(draw).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  return make('div', {class: 'timeline'}, canvas, hint);
}

'use strict';
// An element: make('td', {class: 'number'}, 'text', child …). Text never becomes markup.
function make(name, attributes = {}, ...children) {
  const svg = ['svg', 'g', 'path', 'line', 'rect', 'circle', 'text', 'title'].includes(name);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map(child => typeof child === 'string' ? shown(child) : child));
  return element;
}

const units = [
  [/_percent$/, '%'], [/(^|_)bytes$|^loaded$|^stored$|^memory_/, 'bytes'], [/_seconds$/, 's'],
  [/gflops$/, 'Gflop/s'], [/cycles$|^start$|^stop$|^busy$|^waiting$/, 'cycles'],
  [/intensity$|^bend$/, 'operations per byte']
];

function unitOf(column) {
  const found = units.find(([pattern]) => pattern.test(column));
  return found && found[1] !== column ? found[1] : '';
}

// "simt_percent" -> "simt"; the unit stands below it.
function nameOf(column) {
  return column.replace(/_(percent|gflops|bytes|cycles)$/, '').replaceAll('_', ' ');
}

// Integers whole, others with four digits that count; of text what is no control character.
function shown(value) {
  if (typeof value !== 'number') return value.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size >= 1e6 || (size < 1e-4 && size > 0)) return value.toExponential(3);
  return value.toLocaleString('en-US', {maximumSignificantDigits: 4});
}

// Round numbers for an axis from 0 or `low` to `high`: about `count` of them.
function ticks(low, high, count) {
  const raw = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw);
  const all = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) all.push(value);
  return all;
}

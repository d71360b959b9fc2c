// What the scripts of a page compute, without a browser: node page_scripts.mjs ASSETS
import {readFileSync} from 'node:fs';

const assets = process.argv[2];
const load = name => readFileSync(`${assets}/${name}.js`, 'utf8');
const names = ['values', 'tables', 'charts', 'timeline', 'code'];
const text = names.map(load).join('\n');
// Declarations of the scripts as an object; contents.js needs a browser and is only parsed.
const scripts = new Function(`${text}\nreturn {unitOf, nameOf, shown, ticks, metricsOf, valueAt};`)();
new Function(load('contents'));

let failed = 0;
function check(what, got, expected) {
  if (JSON.stringify(got) === JSON.stringify(expected)) return;
  console.log(`${what}: ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
  ++failed;
}

check('unit', ['simt_percent', 'global_bytes', 'start', 'attainable_gflops', 'kernel'].map(scripts.unitOf), ['%', 'bytes', 'cycles', 'Gflop/s', '']);
check('name', scripts.nameOf('lines_per_request'), 'lines per request');
check('units of columns', ['seconds', 'microseconds', 'kernel_seconds', 'stall_cycles'].map(scripts.unitOf), ['', '', 's', 'cycles']);
check('names without their units', ['simt_percent', 'global_bytes', 'bytes', 'stall_cycles'].map(scripts.nameOf), ['simt', 'global', 'bytes', 'stall']);
check('control characters', scripts.shown('a\u001b[2Jb\u202e'), 'a\ufffd[2Jb\ufffd');
check('ticks', scripts.ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
check('ticks between', scripts.ticks(13, 27, 3), [15, 20, 25]);

// Rows of a table that name a kernel and a place become a metric of its lines.
const kernel = {name: 'k', lines: []};
const byInstruction = {title: 't', columns: ['kernel', 'place', 'instruction', 'requests', 'lanes'],
                       rows: [['k', 'a.cu:1', 'ld', 3, 1], ['other', 'a.cu:1', 'ld', 9, 1], ['k', 'a.cu:1', 'st', 5, 1]]};
const byLine = {title: 'by line: k', columns: ['place', 'warp_percent'], rows: [['ptx:4', 50]]};
const elsewhere = {title: 'by line: other', columns: ['place', 'warp'], rows: [['ptx:4', 1]]};
const metrics = scripts.metricsOf(kernel, [{name: 'tool', tables: [byInstruction, byLine, elsewhere]}]);
check('metrics', metrics.map(metric => [metric.name, metric.unit, metric.most]), [['tool: requests', '', 5], ['tool: warp', '%', 50]]);
const both = {...byLine, columns: ['place', 'requests']};
check('names differ', scripts.metricsOf(kernel, [{name: 'tool', tables: [byInstruction, both]}]).map(metric => metric.name), ['tool: requests', 'tool: requests of the line']);
check('of an instruction', scripts.valueAt(metrics[0], {place: 'a.cu:1', text: 'st'}), 5);
check('of a line', scripts.valueAt(metrics[1], {place: 'ptx:4', text: 'anything'}), 50);
process.exit(failed ? 1 : 0);

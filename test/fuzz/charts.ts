// Mutates one file at a time of the fixture charts, and of public charts in the given folders.

import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { findCharts } from '../conformance/charts.ts';
import { Dice } from '../support/dice.ts';
import { chartsDirectory } from '../support/golden.ts';
import { type Command, runCommands } from './commands.ts';
import { bounded, expression } from './expressions.ts';
import type { Family, Tools } from './family.ts';
import { mutated, word } from './words.ts';

const maxFiles = 80;
const maxBytes = 400_000;
/** The number of consecutive seeds that mutate the same chart. */
const seedsPerChart = 20;

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

const found = new Map<string, Promise<readonly string[]>>();

async function listCharts(charts: readonly string[]): Promise<readonly string[]> {
  const key = charts.join('\n');
  const list = async (): Promise<string[]> =>
    (await Promise.all([chartsDirectory, ...charts].map(findCharts))).flat().sort();
  if (!found.has(key)) found.set(key, list());
  return found.get(key) as Promise<readonly string[]>;
}

/** Returns the files of a chart that can be mutated; none if the chart is too large for many runs. */
async function mutableFiles(folder: string): Promise<readonly string[]> {
  const files = await filesOf(folder);
  if (files.length > maxFiles) return [];
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) return [];
  return files.filter((file) => /\.(ya?ml|tpl|json|txt|lock)$|\.helmignore$/.test(file) && !file.startsWith('ci/'));
}

const yamlLines = `a: 1
- x
a: {{ .Values }}
enabled: null
---
# c
  nested: [
global: {}
? k
&a b: *a
kind: List
metadata: x
{{- end }}
{{ else }}
{{ fail "x" }}
{{ toYaml .Values | nindent 4 }}
{{ .Values.nope.nope }}
{{ include "nope" . }}
{{ required "needed" .Values.nope }}
"helm.sh/hook": pre-install
type: library
version: x
dependencies: [{name: a, version: "1"}]
kubeVersion: ">=1.99"
{{ range .Values }}{{ . }}
{{ $x }}`.split('\n');

const paths = ['.', '$', '.Values', '.nope', '$.Values.nope', '.Chart', '.Files', 'nil', '""', '.Release.Service'];
const words = 'if with range include default quote toYaml and or not eq tpl index get'.split(' ');

type LineMutation = (line: string, dice: Dice) => string;

const lineMutations: readonly LineMutation[] = [
  (line, dice) => `${dice.pick([' ', '  ', '\t'])}${line}`,
  (line) => line.replace(/^ {1,2}/, ''),
  (line, dice) => line.replace(/:.*$/, () => `: ${word(dice).split('\n')[0]}`),
  (line, dice) => line.replace(/\{\{.*?\}\}/, () => bounded(`{{ ${expression(dice)} }}`)),
  (line, dice) => line.replace(/[.$]\w+/, () => dice.pick(paths)),
  (line, dice) => line.replace(new RegExp(`\\b(${words.join('|')})\\b`), () => dice.pick(words)),
];

/** Returns a text with a line or two moved, removed, duplicated, indented or replaced. */
function mutateLines(dice: Dice, text: string): string {
  const lines = text.split('\n');
  for (let count = 1 + dice.below(2); count > 0; count--) {
    const at = dice.below(Math.max(lines.length, 1));
    const line = lines[at] ?? '';
    const roll = dice.next();
    if (roll < 0.12) lines.splice(at, 1 + dice.below(3));
    else if (roll < 0.2) lines.splice(at, 0, line);
    else if (roll < 0.28) lines.splice(at, 0, lines[dice.below(lines.length)] as string);
    else if (roll < 0.4) lines.splice(at, 0, /^ */.exec(line)?.[0] + dice.pick(yamlLines));
    else lines.splice(at, 1, dice.pick(lineMutations)(line, dice));
  }
  return lines.join('\n');
}

let current: { readonly chart: string; readonly files: readonly string[]; restore: () => Promise<void> } | undefined;

async function makeCommand(seed: number, tools: Tools): Promise<Command | undefined> {
  const charts = await listCharts(tools.charts);
  const group = new Dice(Math.floor(seed / seedsPerChart));
  const own = charts.filter((path) => path.startsWith(chartsDirectory));
  const chart = group.pick(charts.length === own.length || group.chance(0.4) ? own : charts);
  const home = join(tools.folder, 'chart');
  if (current?.chart !== chart) {
    const files = await mutableFiles(chart);
    await rm(home, { recursive: true, force: true });
    if (files.length > 0) await cp(chart, home, { recursive: true });
    current = { chart, files, restore: async () => {} };
  }
  await current.restore();
  if (current.files.length === 0) return undefined;
  const dice = new Dice(seed ^ 0x5eed);
  const file = dice.pick(current.files);
  const text = await readFile(join(chart, file), 'utf8');
  const changed = dice.chance(0.65) ? mutateLines(dice, text) : mutated(dice, text);
  await mkdir(dirname(join(home, file)), { recursive: true });
  await writeFile(join(home, file), changed);
  current.restore = () => writeFile(join(home, file), text);
  return {
    args: ['template', 'demo', './chart'],
    cwd: tools.folder,
    about: `${relative(chartsDirectory, chart)} with ${file} changed`,
  };
}

/** Charts with one file changed, rendered as a whole. */
export const charts: Family = {
  name: 'charts',
  about: 'charts with one changed file: the fixtures, and those of --charts',
  batch: 50,
  share: 2,
  run: (job, tools) => runCommands(job, tools, (seed) => makeCommand(seed, tools)),
};

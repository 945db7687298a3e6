// Mutates charts: the fixtures', and public ones from given folders. One file of a chart is changed at a time.

import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { chartsDirectory } from '../support/golden.ts';
import { type Command, runCommands } from './commands.ts';
import { Dice } from './dice.ts';
import { bounded, expression } from './expressions.ts';
import type { Family, Tools } from './family.ts';
import { mutated, word } from './words.ts';

const mostFiles = 80;
const mostBytes = 400_000;
/** Number of consecutive seeds that mutate the same chart. */
const inARow = 20;

async function chartFolders(root: string, depth = 5): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === 'Chart.yaml')) return [root];
  if (depth === 0) return [];
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const inner = await Promise.all(folders.map(({ name }) => chartFolders(join(root, name), depth - 1)));
  return inner.flat();
}

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
    (await Promise.all([chartsDirectory, ...charts].map((root) => chartFolders(root)))).flat().sort();
  if (!found.has(key)) found.set(key, list());
  return found.get(key) as Promise<readonly string[]>;
}

/** Returns the files of a chart to mutate, or nothing for a chart that is too large for many runs. */
async function changeable(folder: string): Promise<readonly string[]> {
  const files = await filesOf(folder);
  if (files.length > mostFiles) return [];
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > mostBytes) return [];
  return files.filter((file) => /\.(ya?ml|tpl|json|txt|lock)$|\.helmignore$/.test(file) && !file.startsWith('ci/'));
}

const yamlLines = [
  ...[
    'a: 1',
    '- x',
    'a: {{ .Values }}',
    'enabled: null',
    '---',
    '# c',
    '  nested: [',
    'global: {}',
    '? k',
    '&a b: *a',
    'kind: List',
    'apiVersion: v1',
    'metadata: x',
  ],
  ...[
    '{{- end }}',
    '{{ else }}',
    '{{ fail "x" }}',
    '{{ toYaml .Values | nindent 4 }}',
    '{{ .Values.nope.nope }}',
    '{{ include "nope" . }}',
    '{{ required "needed" .Values.nope }}',
  ],
  ...[
    '"helm.sh/hook": pre-install',
    'type: library',
    'version: x',
    'dependencies: [{name: a, version: "1"}]',
    'kubeVersion: ">=1.99"',
    '{{ range .Values }}{{ . }}',
    '{{ $x }}',
  ],
];

const paths = ['.', '$', '.Values', '.nope', '$.Values.nope', '.Chart', '.Files', 'nil', '""', '.Release.Service'];
const words = 'if with range include default quote toYaml and or not eq tpl index get'.split(' ');

type ChangeLine = (line: string, dice: Dice) => string;

const changesOfLine: readonly ChangeLine[] = [
  (line, dice) => `${dice.of([' ', '  ', '\t'])}${line}`,
  (line) => line.replace(/^ {1,2}/, ''),
  (line, dice) => line.replace(/:.*$/, () => `: ${word(dice).split('\n')[0]}`),
  (line, dice) => line.replace(/\{\{.*?\}\}/, () => bounded(`{{ ${expression(dice)} }}`)),
  (line, dice) => line.replace(/[.$]\w+/, () => dice.of(paths)),
  (line, dice) => line.replace(new RegExp(`\\b(${words.join('|')})\\b`), () => dice.of(words)),
];

/** Returns a text with a line or two moved, removed, duplicated, indented or replaced. */
export function changedLines(dice: Dice, text: string): string {
  const lines = text.split('\n');
  for (let count = 1 + dice.below(2); count > 0; count--) {
    const at = dice.below(Math.max(lines.length, 1));
    const line = lines[at] ?? '';
    const roll = dice.next();
    if (roll < 0.12) lines.splice(at, 1 + dice.below(3));
    else if (roll < 0.2) lines.splice(at, 0, line);
    else if (roll < 0.28) lines.splice(at, 0, lines[dice.below(lines.length)] as string);
    else if (roll < 0.4) lines.splice(at, 0, /^ */.exec(line)?.[0] + dice.of(yamlLines));
    else lines.splice(at, 1, dice.of(changesOfLine)(line, dice));
  }
  return lines.join('\n');
}

let current: { readonly chart: string; readonly files: readonly string[]; restore: () => Promise<void> } | undefined;

async function makeCommand(seed: number, tools: Tools): Promise<Command | undefined> {
  const charts = await listCharts(tools.charts);
  const group = new Dice(Math.floor(seed / inARow));
  const own = charts.filter((path) => path.startsWith(chartsDirectory));
  const chart = group.of(charts.length === own.length || group.chance(0.4) ? own : charts);
  const home = join(tools.folder, 'chart');
  if (current?.chart !== chart) {
    const files = await changeable(chart);
    await rm(home, { recursive: true, force: true });
    if (files.length > 0) await cp(chart, home, { recursive: true });
    current = { chart, files, restore: async () => {} };
  }
  await current.restore();
  if (current.files.length === 0) return undefined;
  const dice = new Dice(seed ^ 0x5eed);
  const file = dice.of(current.files);
  const text = await readFile(join(chart, file), 'utf8');
  const changed = dice.chance(0.65) ? changedLines(dice, text) : mutated(dice, text);
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
  about: 'charts with a file changed: the fixtures, and those of --charts',
  batch: 50,
  share: 3,
  run: (job, tools) => runCommands(job, tools, (seed) => makeCommand(seed, tools)),
};

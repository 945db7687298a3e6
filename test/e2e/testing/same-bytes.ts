// Tests that the same charts give the same snapshots, records and messages in processes that differ in everything that must not matter: time
// zone, language, cores, threads, Node version, with and without the cache. `npm run test:e2e -- same-bytes [DIR…]`: 300 charts of the
// folders, by default the fixture charts, from source. `browser` compares pages with Node.

import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { nodeFolder } from '../../../scripts/dev/tools/node-binary.ts';
import { cacheDirectory } from '../../../scripts/dev/tools/pinned-package.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';
import { listCases } from '../../conformance/charts.ts';
import { evenly } from '../../support/chart-values.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const moreValues = 'more.yaml';

/** An environment in which charts are rendered. */
interface Environment {
  readonly name: string;
  /** The major version of Node. Default: that of this process. */
  readonly node?: string;
  readonly cores: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

const cached = ['--cache', 'cache'];
const environments: readonly Environment[] = [
  { name: 'one thread', cores: '0', env: { TZ: 'UTC', LANG: 'C' }, argv: ['--jobs', '1', '--no-cache'] },
  {
    name: 'two threads, Turkish, Kolkata, oldest Node',
    node: '20',
    cores: '0,1',
    env: { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    argv: ['--jobs', '2', ...cached],
  },
  {
    name: 'with the cache of another process, newest Node',
    node: '26',
    cores: '0,1',
    env: { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
    argv: cached,
  },
];

/** The result in one environment: the bytes of each file and the output. */
interface Rendered {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly output: string;
}

async function render(environment: Environment, names: readonly string[], project: string): Promise<Rendered> {
  const node = environment.node === undefined ? process.execPath : join(await nodeFolder(environment.node), 'node');
  const program = ['--import', import.meta.resolve('tsx'), join(root, 'emulator/cli/main.node.ts')];
  const common = ['--update', '--with-values', moreValues];
  const argv = [node, ...program, 'snapshot', ...names, ...common, ...environment.argv];
  const { stdout, stderr, exitCode } = await execa('taskset', ['-c', environment.cores, ...argv], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment.env },
    extendEnv: false,
    reject: false,
    maxBuffer: 1 << 28,
  });
  const folder = join(project, 'snapshots');
  if (!existsSync(folder)) throw new Error(`${environment.name}: nothing was rendered\n${stderr}`);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
  rmSync(folder, { recursive: true });
  return { files, output: `${stdout}\n${stderr}\nexit code ${exitCode}` };
}

/** Returns a line for each difference. */
function differences(one: Rendered, other: Rendered): string[] {
  const names = [...new Set([...one.files.keys(), ...other.files.keys()])];
  const others = names.filter((name) => {
    const [a, b] = [one.files.get(name), other.files.get(name)];
    return a === undefined || b === undefined || !a.equals(b);
  });
  const [lines, otherLines] = [one.output.split('\n'), other.output.split('\n')];
  const at = lines.findIndex((line, index) => line !== otherLines[index]);
  const isSame = at < 0 && lines.length === otherLines.length;
  return [...others, ...(isSame ? [] : [`output: ${lines[at] ?? ''} / ${otherLines[at] ?? ''}`])];
}

async function selectedCharts(): Promise<string[]> {
  const given = process.argv.slice(2).map((folder) => resolve(folder));
  const folders = given.length > 0 ? given : [join(root, 'fixtures/charts')];
  const cases = await listCases(folders, join(cacheDirectory, 'conformance'));
  return evenly([...new Set(cases.map(({ chart }) => chart))], 300);
}

// Values that are random, and values that could depend on the machine.
const randomTemplate = `kind: ConfigMap
apiVersion: v1
metadata: {name: random-{{ randAlpha 5 | lower }}}
data:
  id: {{ uuidv4 }}
  {{ randAlpha 4 }}: {{ randNumeric 6 | quote }}
  day: {{ now | date "Mon Jan 2 15:04:05 MST 2006" }}
  words: {{ list "b" "I" "ä" "z" "a" | sortAlpha | join "," }} {{ upper "iı" }} {{ shuffle "abcdefgh" }}
  file: |
    key: {{ genPrivateKey "ecdsa" | b64enc }}
    certificate: {{ (genCA "ca" 10).Cert | b64enc }}
---
kind: Secret
apiVersion: v1
metadata: {name: random}
stringData: {password: {{ randAlphaNum 20 }}, hash: {{ htpasswd "a" "b" | quote }}}
`;

const project = temporaryFolder('drydock-same-bytes-');

const names = (await selectedCharts()).map((chart, at) => {
  const name = `${String(at).padStart(4, '0')}-${basename(chart)}`;
  symlinkSync(chart, join(project, name));
  return name;
});
await writeFiles(project, {
  'random/Chart.yaml': 'apiVersion: v2\nname: random\nversion: 1.0.0\n',
  'random/templates/all.yaml': randomTemplate,
  [moreValues]: 'replicaCount: 3\nreplicas: 3\nfullnameOverride: iıİß\npodAnnotations: {b: "1", a: "2"}\n',
});
names.push('random');
let first: Rendered | undefined;
for (const environment of environments) {
  const given = await render(environment, names, project);
  first ??= given;
  const others = differences(first, given);
  const random = [...given.files.values()].filter((bytes) => bytes.includes('<random>')).length;
  console.log(`${environment.name}: ${given.files.size} files, ${random} with random parts, ${others.length} differ`);
  for (const other of others.slice(0, 20)) console.log(`  ${other}`);
  if (others.length > 0 || given.files.size === 0) process.exitCode = 1;
}

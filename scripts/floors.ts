// Checks that the house stands: imports go down, no cycles, one door per package, platform files, size, words on exports.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The floors, from the ground up. A file may import from lower floors and from its own room (without a cycle). */
export const floors: readonly (readonly string[])[] = [
  [
    'render/errors.ts',
    'render/suggest.ts',
    'render/arguments.ts',
    'render/distinct.ts',
    'render/helm-version.ts',
    'render/host.ts',
    'render/kept.ts',
    'render/limits.ts',
    'render/once.ts',
    'render/make-folder.node.ts',
    'render/go/',
  ],
  ['render/template/', 'render/codec/', 'render/page/'],
  ['render/order/', 'render/helm/'],
  ['render/functions/', 'render/chart/', 'render/manifest/'],
  ['render/values/', 'render/vendor/', 'render/kube/'],
  ['render/engine/', 'render/origins/'],
  ['render/release.ts', 'render/apis.ts', 'render/chance.ts', 'render/packages.ts'],
  ['render/output/', 'render/coverage/', 'render/trace/', 'render/inspect/'],
  ['render/checks/', 'render/diff/', 'render/unittest/'],
  ['render/impact/'],
  ['render/report/'],
  ['render/scripts/'],
  ['render/gitops/'],
  [
    'render/covered-chart.ts',
    'render/explained.ts',
    'render/impacted.ts',
    'render/inspected-chart.node.ts',
    'render/manifest-diff.ts',
    'render/rendered-chart.ts',
    'render/rendered-order.ts',
  ],
  ['render/validation/'],
  ['render/index.ts', 'render/order.ts'],
  ['render/snapshot/'],
  ['render/snapshot.node.ts', 'render/disk.node.ts', 'render/testing/'],
  ['render/fetch/'],
  ['render/vendor.node.ts'],
  ['emulator/errors.ts', 'emulator/arguments.ts', 'emulator/suggest.ts'],
  ['emulator/store/', 'emulator/keys/'],
  ['emulator/rendering/'],
  ['emulator/world/'],
  ['emulator/http/'],
  ['emulator/routes/'],
  ['emulator/emulator.ts', 'emulator/web.ts'],
  ['emulator/index.ts', 'emulator/msw.ts', 'emulator/demo/'],
  ['emulator/console/'],
  ['emulator/console.node.ts', 'emulator/connection.node.ts', 'emulator/proxy.node.ts', 'emulator/certificate.node.ts'],
  ['emulator/keep/'],
  ['emulator/server.node.ts', 'emulator/worker.browser.ts', 'emulator/worker.elsewhere.ts'],
  ['emulator/testing.node.ts'],
  ['emulator/command/'],
];

/** How YAML is read where the `yaml` package edits it: the console must read it as the engine does. */
const yamlOptions = 'render/codec/yaml/document-options.ts';

/** Every package that the product imports, with the files (or rooms) that alone may. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@mswjs/data': ['emulator/store/library.cjs'],
  '@nats-io/nkeys': ['emulator/keys/nats.ts'],
  '@noble/ciphers': ['render/functions/hashes.ts'],
  '@noble/curves': ['render/functions/certificates/keys.ts'],
  '@noble/hashes': [
    'render/chart/digest.ts',
    'render/diff/fingerprint.ts',
    'render/functions/',
    'render/gitops/',
    'render/impact/',
    'render/page/',
    'render/scripts/',
    'render/vendor/locked.ts',
    'render/vendor/seal.ts',
    'emulator/keys/',
  ],
  '@codemirror/autocomplete': ['emulator/console/editor/'],
  '@codemirror/commands': ['emulator/console/editor/'],
  '@codemirror/lang-yaml': ['emulator/console/editor/'],
  '@codemirror/language': ['emulator/console/editor/'],
  '@codemirror/lint': ['emulator/console/editor/'],
  '@codemirror/search': ['emulator/console/editor/'],
  '@codemirror/state': ['emulator/console/editor/'],
  '@codemirror/view': ['emulator/console/editor/'],
  '@lezer/highlight': ['emulator/console/editor/'],
  '@preact/signals': ['emulator/console/'],
  '@streamparser/json': ['emulator/http/long-json.ts'],
  ajv: ['emulator/store/compile.ts'],
  bcryptjs: ['render/functions/hashes.ts'],
  diff: ['emulator/console/editor/changes.ts', 'render/diff/', 'render/impact/', 'render/snapshot/diff.ts'],
  chokidar: ['emulator/command/follow.node.ts'],
  esbuild: ['emulator/console/bundle.node.ts'],
  fflate: ['render/vendor/tar-write.ts'],
  handlebars: ['render/scripts/fill.ts', 'render/scripts/user-template.node.ts'],
  jiti: ['emulator/command/config/load.node.ts'],
  leven: ['render/suggest.ts'],
  msw: ['emulator/msw.ts', 'emulator/worker.browser.ts'],
  openpgp: ['render/fetch/provenance.node.ts'],
  preact: ['emulator/console/'],
  re2js: ['render/go/regexp/regexp.ts'],
  tinyglobby: ['emulator/command/inputs.node.ts'],
  undici: ['render/fetch/transport.node.ts'],
  yaml: [yamlOptions, 'emulator/command/rendering/', 'emulator/console/order/'],
};

/** The rooms that open connections, and who alone may enter them: what renders stays without network code. */
const network = ['render/fetch/', 'render/vendor.node.ts'] as const;
const networkCallers: readonly string[] = [...network, 'emulator/command/vendoring/'];

/** Scripts whose output is committed, or whose verdict is a test: their tests, and no others, import them. */
const testedScripts: readonly string[] = [
  'scripts/build/lean-regexp.ts',
  'scripts/build/ready-validators.ts',
  'scripts/build/report-script.ts',
  'scripts/expressions.ts',
  'scripts/floors.ts',
  'scripts/fuzz/marks.ts',
  'scripts/sample-charts.ts',
  'scripts/schemas.ts',
  'scripts/site/house.ts',
  'scripts/templates.ts',
];

/**
 * How the emulator enters render: its front door, the failures it throws, what both ask of their callers, the shape of an
 * Order, the rules of .helmignore, the version of Helm, the limits, and the numbers that both make keys of.
 */
const renderDoors: ReadonlySet<string> = new Set([
  'render/index.ts',
  'render/arguments.ts',
  'render/chart/ignore.ts',
  'render/errors.ts',
  'render/go/big/power.ts',
  'render/go/big/primes.ts',
  'render/helm-version.ts',
  'render/limits.ts',
  'render/order/order.ts',
  'render/order/validate.ts',
  'render/page/escape.ts',
  'render/suggest.ts',
]);

/** How many casts the two halves may hold; the number only falls, and a lower count is written here. */
const mostCasts = 614;
// So few may go before the number has to be written anew.
const castsSlack = 25;

const maxLines = 600;
const maxFiles = 40;

/** One broken rule: where, and what to do. */
export interface Breach {
  readonly file: string;
  readonly message: string;
}

/** Gives every breach of the house rules below `root`; an empty list means that the house stands. */
export async function checkFloors(root: string): Promise<Breach[]> {
  const sources = new Map<string, string>();
  for (const room of ['render', 'emulator', 'scripts']) await collect(root, room, sources);
  const breaches = [...(await fullFolders(root)), ...stale(sources)];
  for (const [file, text] of sources) {
    const report = (message: string): void => void breaches.push({ file, message });
    checkSize(text, report);
    checkWords(file, text, report);
    checkWorld(file, text, report);
    checkFolders(file, text, report);
    for (const specifier of importsOf(text)) checkImport(file, specifier, sources, report);
  }
  breaches.push(...checkCasts(sources));
  const tests = new Map<string, string>();
  await collect(root, 'test', tests);
  for (const [file, text] of new Map([...sources, ...tests])) {
    checkPrivate(text, (message) => void breaches.push({ file, message }));
    for (const specifier of importsOf(text)) {
      const message = specifier.startsWith('.') ? yardBreach(file, posix.join(roomOf(file), specifier)) : undefined;
      if (message !== undefined) breaches.push({ file, message });
    }
  }
  for (const cycle of cycles(sources)) {
    breaches.push({ file: cycle[0] ?? '', message: `imports itself through ${cycle.join(' -> ')}` });
  }
  return breaches;
}

/** Reads every TypeScript file below a folder into `sources`, by its path below `root`. */
export async function collect(root: string, folder: string, sources: Map<string, string>): Promise<void> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) await collect(root, path, sources);
    else if (/\.tsx?$/.test(path)) sources.set(path, await readFile(join(root, path), 'utf8'));
  }
}

/** Gives a breach for every folder that holds more files than a reader takes in. */
async function fullFolders(root: string): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const yard of ['render', 'emulator', 'scripts', 'test', 'fixtures']) {
    const entries = await readdir(join(root, yard), { withFileTypes: true, recursive: true }).catch(() => []);
    const counts = new Map<string, number>();
    for (const entry of entries) {
      if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
    }
    for (const [folder, count] of counts) {
      if (count > maxFiles)
        breaches.push({
          file: relative(root, folder),
          message: `holds ${count} files, at most ${maxFiles}: make rooms of it`,
        });
    }
  }
  return breaches;
}

/** Gives a breach for every room and door of the tables above that stands no longer. */
function stale(sources: ReadonlyMap<string, string>): Breach[] {
  const breaches: Breach[] = [];
  const files = [...sources.keys()];
  const report = (message: string): void => void breaches.push({ file: 'scripts/floors.ts', message });
  for (const room of [...floors.flat(), ...renderDoors]) {
    if (!files.some((file) => isIn(file, room))) report(`names ${room}, which is not there`);
  }
  for (const [name, places] of Object.entries(doors)) {
    for (const door of places.filter((place) => place.endsWith('/') || place.endsWith('.ts'))) {
      const isUsed = (file: string): boolean =>
        isIn(file, door) && importsOf(sources.get(file) ?? '').some((specifier) => packageOf(specifier) === name);
      if (!files.some(isUsed)) report(`names ${door} as a door of ${name}, which it does not import`);
    }
  }
  return breaches;
}

/** Says whether a file is the one named, or stands in the room named (which ends with a slash). */
export function isIn(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

/** Gives the package that a specifier names: `@noble/hashes` of `@noble/hashes/sha2.js`. */
function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

type Report = (message: string) => void;

function isGenerated(text: string): boolean {
  return /^\/\/.*(generated|pure table)/i.test(text.slice(0, text.indexOf('\n')));
}

function checkSize(text: string, report: Report): void {
  const lines = text.split('\n').length - 1;
  if (lines > maxLines && !isGenerated(text)) report(`has ${lines} lines, at most ${maxLines}: split it by idea`);
}

/** Every export wants a doc comment; the first line says what the file is. */
function checkWords(file: string, text: string, report: Report): void {
  const lines = text.split('\n');
  if (!/^(\/\/|\/\*\*|#!)/.test(lines[0] ?? '')) report('line 1 must say what the file is');
  if (file.startsWith('scripts/')) return;
  lines.forEach((line, i) => {
    if (!/^export (async )?(function|const|class|abstract|interface|type(?! \{))\b/.test(line)) return;
    if (
      /\bfunction (\w+)/.exec(line)?.[1] === /\bfunction (\w+)/.exec(lines[i - 1] ?? '')?.[1] &&
      line.includes('function')
    )
      return; // an overload: the first signature has the words
    if (!(lines[i - 1] ?? '').trimEnd().endsWith('*/')) report(`line ${i + 1}: an export without a doc comment`);
  });
}

/**
 * What a class keeps to itself has one spelling. A bundler shortens `#name`, which it must not do with `private name`: what
 * applications load is smaller by it. A constructor alone has no other spelling than the word.
 */
function checkPrivate(text: string, report: Report): void {
  const [, name] = /^ +private (?!constructor\b)(?:(?:static|readonly|async|get|set) )*\*?(\w+)/m.exec(text) ?? [];
  if (name !== undefined) report(`keeps ${name} by the word private: write #${name}`);
}

/** A cast says what nobody checks. Those that are there have their reasons, and more need others to go. */
function checkCasts(sources: ReadonlyMap<string, string>): Breach[] {
  // The number is that of this house.
  if (!sources.has('scripts/floors.ts')) return [];
  let count = 0;
  for (const [file, text] of sources) if (!file.startsWith('scripts/') && !isGenerated(text)) count += castsIn(text);
  const breach = (message: string): Breach[] => [{ file: 'scripts/floors.ts', message }];
  if (count > mostCasts)
    return breach(`finds ${count} casts, at most ${mostCasts}: let a guard or a better type say it`);
  return count < mostCasts - castsSlack ? breach(`finds ${count} casts: write that for mostCasts, ${mostCasts}`) : [];
}

/** Counts the casts of a source, but for `as const`: those in comments, texts and lists of imports are none. */
export function castsIn(text: string): number {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/^(?:import|export) (?:type )?\{[^}]*\}|\* as \w+/gm, '');
  return [...code.matchAll(/[\w)\]}'`] as (?!const\b)[\w({[]/g)].length;
}

/** Node's way to make several folders at a time never ends below /proc. */
function checkFolders(file: string, text: string, report: Report): void {
  if (!/^(?:render|emulator)\//.test(file) || file === 'render/make-folder.node.ts') return;
  if (/\bmkdir(?:Sync)?\([^;]*recursive: true/.test(text)) report('makes folders by Node alone: take makeFolder');
}

/** The clock and the dice stay with the host. */
function checkWorld(file: string, text: string, report: Report): void {
  if (!file.startsWith('render/') || file === 'render/host.ts' || file.endsWith('.node.ts')) return;
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const asked = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bcrypto\.getRandomValues/.exec(code);
  if (asked) report(`asks the world (${asked[0]}): take it from render/host.ts`);
}

/** Gives the specifiers of all static, type and dynamic imports; not those of a program that is written as a text. */
export function importsOf(text: string): string[] {
  const pattern =
    /^(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|^import\s*'([^']+)'|(?<!`)\bimport\(\s*'([^'$]+)'\s*\)/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function floorOf(file: string): number {
  return floors.findIndex((rooms) => rooms.some((room) => isIn(file, room)));
}

function roomOf(file: string): string {
  return dirname(file);
}

function checkImport(file: string, specifier: string, sources: ReadonlyMap<string, string>, report: Report): void {
  const platform = file.endsWith('.node.ts') || file.startsWith('scripts/');
  if (specifier.startsWith('node:')) {
    if (!platform) report(`imports ${specifier}: only *.node.ts and scripts/ may`);
    return;
  }
  if (!specifier.startsWith('.')) {
    checkDoor(file, specifier, report);
    return;
  }
  const target = posix.join(roomOf(file), specifier);
  if (file.startsWith('scripts/')) return;
  if (!sources.has(target)) return; // data and generated files
  if (target.endsWith('.node.ts') && !platform)
    report(`imports ${target}: a Node file from a file that runs everywhere`);
  const render = file.startsWith('render/');
  if (render && target.startsWith('emulator/')) report(`imports ${target}: render knows no emulator`);
  const isInner = target.startsWith('render/') && !renderDoors.has(target) && !target.endsWith('.node.ts');
  // The command stands on both halves, and speaks Helm's words: it may use any room.
  if (file.startsWith('emulator/') && !file.startsWith('emulator/command/') && isInner && target !== yamlOptions) {
    report(`imports ${target}: the emulator enters render by ${[...renderDoors].join(', ')} alone`);
  }
  const isIn = (path: string, rooms: readonly string[]): boolean => rooms.some((room) => path.startsWith(room));
  if (isIn(target, network) && !isIn(file, networkCallers)) {
    report(`imports ${target}: only ${networkCallers.join(', ')} may open connections`);
  }
  const inConsole = 'emulator/console/';
  if (file.startsWith(inConsole) && !target.startsWith(inConsole) && target !== yamlOptions) {
    report(`imports ${target}: the console speaks HTTP, as any client`);
  }
  const [from, to] = [floorOf(file), floorOf(target)];
  if (from < 0) report('stands on no floor: name its room in scripts/floors.ts');
  // A room's Node files open outward: they may be reached from Node files of the floors above only.
  if (to > from) report(`imports ${target}, which stands on a higher floor`);
  else if (to === from && roomOf(file) !== roomOf(target) && from > 0 && !shareRoom(file, target)) {
    report(`imports ${target}, another room of the same floor`);
  }
}

/**
 * What stands around the house: the product knows neither scripts nor tests. `test/support/` is the ground both share:
 * it says how a thing is proven, and imports neither a test nor a script. Tests of one room may share files beside them. End-to-end
 * tests (test/e2e/) are programs that start others, for which they import scripts.
 */
function yardBreach(file: string, target: string): string | undefined {
  const shared = 'test/support/';
  if (target.startsWith('scripts/')) {
    const free = /^(?:scripts|test\/e2e)\//.test(file) || (file.endsWith('.test.ts') && testedScripts.includes(target));
    return free ? undefined : `imports ${target}: only their own tests and test/e2e/ import scripts`;
  }
  if (!target.startsWith('test/')) return undefined;
  const isShared = target.startsWith(shared) && /^(?:scripts|test)\//.test(file);
  const isBeside = roomOf(target) === roomOf(file) && !target.endsWith('.test.ts');
  if (isShared || isBeside) return undefined;
  return `imports ${target}: of the tests only ${shared} is shared, and with scripts alone`;
}

function shareRoom(a: string, b: string): boolean {
  return floors.some((rooms) => rooms.some((room) => room.endsWith('/') && a.startsWith(room) && b.startsWith(room)));
}

function checkDoor(file: string, specifier: string, report: Report): void {
  if (file.startsWith('scripts/')) return;
  const name = packageOf(specifier);
  const allowed = doors[name];
  // The package's own parts, by the names of its package.json.
  if (name.startsWith('#')) return;
  if (allowed === undefined) report(`imports ${name}, which has no door: name it in scripts/floors.ts`);
  else if (!allowed.some((door) => isIn(file, door))) report(`imports ${name}: its door is ${allowed.join(', ')}`);
}

/** Gives one path for every import cycle found by a depth-first walk. */
function cycles(sources: ReadonlyMap<string, string>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const seen = path.indexOf(file);
    if (seen >= 0) found.push([...path.slice(seen), file]);
    if (seen >= 0 || done.has(file)) return;
    for (const specifier of importsOf(sources.get(file) ?? '')) {
      const target = posix.join(roomOf(file), specifier);
      if (specifier.startsWith('.') && sources.has(target)) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const breaches = await checkFloors(root);
  for (const { file, message } of breaches) console.error(`${relative('.', join(root, file))}: ${message}`);
  console.log(breaches.length === 0 ? 'floors: the house stands' : `floors: ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

// Checks the imports between modules: they point to lower layers, without cycles, and stay on their platform; commands use the public API.
// `npm run check`.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entryPoints } from '../build/entry-points.ts';
import { exportedNames, namedImports } from './exported-names.ts';

/** The layers, lowest first. A file may import from lower layers and from its own module (a path that ends with a slash). */
export const layers: readonly (readonly string[])[] = [
  ['render/core/', 'render/go/'],
  ['render/template/', 'render/codec/', 'render/workers/'],
  ['render/order/', 'render/helm/'],
  ['render/functions/', 'render/chart/', 'render/manifest/'],
  ['render/values/', 'render/vendor/lock/', 'render/validation/kubernetes/'],
  ['render/provenance/origins/'],
  ['render/engine/'],
  ['render/output/', 'render/coverage/', 'render/provenance/trace/', 'render/inspect/'],
  ['render/validation/checks/', 'render/diff/'],
  ['render/provenance/impact/'],
  ['render/validation/objects/'],
  ['render/cases/'],
  ['render/provenance/report/', 'render/upgrade/'],
  ['render/scripts/'],
  ['render/gitops/'],
  ['render/api/'],
  ['render/language/'],
  ['render/index.ts', 'render/order.ts'],
  ['render/inputs/', 'render/report/'],
  ['render/language-server/', 'render/snapshot/', 'render/unittest/'],
  ['render/snapshot.node.ts', 'render/disk.node.ts', 'render/testing/'],
  ['render/vendor/fetch/'],
  ['render/vendor.node.ts'],
  ['render/cli/'],
  ['emulator/core/'],
  ['emulator/store/', 'emulator/keys/'],
  ['emulator/rendering/'],
  ['emulator/world/'],
  ['emulator/app/'],
  ['emulator/routes/', 'emulator/stories/'],
  [
    'emulator/emulator.ts',
    'emulator/web.ts',
    'emulator/seed.ts',
    'emulator/define.ts',
    'emulator/nats.ts',
    'emulator/openapi.ts',
    'emulator/settings.ts',
  ],
  ['emulator/index.ts', 'emulator/msw.ts', 'emulator/client.ts'],
  ['emulator/fixture-folder.node.ts'],
  ['emulator/console/', 'emulator/persistence/'],
  ['emulator/node/'],
  ['emulator/demo/'],
  ['emulator/server.node.ts', 'emulator/worker.browser.ts', 'emulator/worker.elsewhere.ts'],
  ['emulator/testing.node.ts'],
  ['emulator/cli/'],
];

const consoleFolder = 'emulator/console/';

/** Modules that the console shares with the engine: how the `yaml` package reads Orders and values, editor hints, groups and counts. */
const editorModules: readonly string[] = [
  'render/codec/yaml/document-options.ts',
  'render/core/counted.ts',
  'render/core/group-by.ts',
  'render/core/paths.ts',
  'render/language/help.ts',
  'render/language/yaml/',
];

/** The files of `render/` that the emulator may import. */
const renderApi: ReadonlySet<string> = new Set([
  'render/index.ts',
  'render/core/arguments.ts',
  'render/chart/ignore.ts',
  'render/core/errors.ts',
  'render/core/failure.ts',
  'render/core/group-by.ts',
  'render/core/lazy.ts',
  'render/engine/randomness.ts',
  'render/go/big/power.ts',
  'render/go/big/primes.ts',
  'render/go/realm.ts',
  'render/core/helm-version.ts',
  'render/core/limits.ts',
  'render/order/names.ts',
  'render/order/order.ts',
  'render/order/validate.ts',
  'render/core/page/escape.ts',
  'render/core/paths.ts',
  'render/core/suggest.ts',
  'render/workers/pool.ts',
  'render/codec/json-file.ts',
]);

/** The folders of the commands, which use the library as its users do. */
const commandFolders = ['render/cli/', 'emulator/cli/'] as const;

/** What commands may import any name of: each other, folders without product logic, and entry points. */
const freePlaces: readonly string[] = [
  ...commandFolders,
  ...['render/core/', 'render/go/'],
  ...entryPoints.map(({ source }) => source),
];

/** The modules that open connections, and who may import them. */
const network = ['render/vendor/fetch/', 'render/vendor.node.ts'] as const;
const networkCallers: readonly string[] = [...network, 'render/cli/vendoring/'];

/** An import that breaks a rule. */
export interface Violation {
  readonly file: string;
  readonly message: string;
}

/** Returns every violation below `root`. */
export async function checkImports(root: string): Promise<Violation[]> {
  const sources = new Map<string, string>();
  for (const folder of ['render', 'emulator', 'scripts', 'test']) await readSources(root, folder, sources);
  const violations: Violation[] = [];
  const published = new Set(entryPoints.flatMap(({ source }) => exportedNames(source, sources)));
  for (const [file, text] of sources) {
    if (isInAny(file, commandFolders)) violations.push(...commandViolations(file, sources, published));
    const types = new Set(
      [...text.matchAll(/^import type [^;]*? from '([^']+)';/gm)].map(([, specifier]) => specifier),
    );
    for (const specifier of importsOf(text)) {
      // The console may name the types of what the API responds.
      if (file.startsWith(consoleFolder) && types.has(specifier)) continue;
      const message = violationOf(file, specifier, sources);
      if (message !== undefined) violations.push({ file, message });
    }
  }
  for (const cycle of cycles(sources)) {
    violations.push({ file: cycle[0] ?? '', message: `imports itself through ${cycle.join(' -> ')}` });
  }
  return violations;
}

/** Reads every TypeScript file below a folder into `sources`, by its path below `root`. */
export async function readSources(root: string, folder: string, sources: Map<string, string>): Promise<void> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) await readSources(root, path, sources);
    else if (/\.tsx?$/.test(path)) sources.set(path, await readFile(join(root, path), 'utf8'));
  }
}

/** Reports whether a path is a file of the table, or lies in a folder of it. */
export function isIn(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

/** Returns the specifiers of all static, type and dynamic imports; not those of a program inside a template literal. */
export function importsOf(text: string): string[] {
  const pattern =
    /^(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|^import\s*'([^']+)'|(?<!`)\bimport\(\s*'([^'$]+)'\s*\)/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function violationOf(file: string, specifier: string, sources: ReadonlyMap<string, string>): string | undefined {
  const isProduct = /^(?:render|emulator)\//.test(file);
  if (!isProduct) return undefined;
  const isNode = file.endsWith('.node.ts');
  if (specifier.startsWith('node:')) return isNode ? undefined : `imports ${specifier}: only *.node.ts may`;
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(dirname(file), specifier);
  if (/^(?:scripts|test)\//.test(target)) return `imports ${target}: the product imports neither scripts nor tests`;
  // Data and generated files.
  if (!sources.has(target)) return undefined;
  if (target.endsWith('.node.ts') && !isNode) return `imports ${target}: only *.node.ts may`;
  if (isInAny(target, network) && !isInAny(file, networkCallers)) {
    return `imports ${target}: only ${networkCallers.join(', ')} may open connections`;
  }
  const isEditors = editorModules.some((place) => isIn(target, place));
  if (file.startsWith(consoleFolder) && !target.startsWith(consoleFolder) && !isEditors) {
    return `imports ${target}: the console is a client of the HTTP API`;
  }
  const isInner = target.startsWith('render/') && !renderApi.has(target) && !isEditors && !target.endsWith('.node.ts');
  if (file.startsWith('emulator/') && !isInAny(file, commandFolders) && isInner) {
    return `imports ${target}: the emulator may import ${[...renderApi].join(', ')}`;
  }
  return layerViolation(file, target);
}

/**
 * Returns the imports of a command that the library's users could not write. A command imports a public name from the file that defines it,
 * not through the entry point, so that it loads only what it needs. `published` has the names that entry points export, as `FILE NAME`.
 */
function commandViolations(
  file: string,
  sources: ReadonlyMap<string, string>,
  published: ReadonlySet<string>,
): Violation[] {
  return namedImports(file, sources.get(file) ?? '').flatMap(({ target, names }): Violation[] => {
    if (isInAny(target, freePlaces) || !sources.has(target)) return [];
    if (names === undefined) return [{ file, message: `imports ${target}: a command names what it imports` }];
    const hidden = names.filter((name) => !published.has(`${target} ${name}`));
    return hidden.map((name) => ({ file, message: `imports ${name} of ${target}, which no entry point exports` }));
  });
}

function isInAny(file: string, places: readonly string[]): boolean {
  return places.some((place) => isIn(file, place));
}

function layerViolation(file: string, target: string): string | undefined {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === undefined) return 'is in no layer: add it to the table in scripts/dev/check-imports.ts';
  if (to === undefined || to.level < from.level || to.module === from.module) return undefined;
  if (to.level > from.level) return `imports ${target}, which is in a higher layer`;
  // The files directly in the lowest layer may import each other.
  return from.level === 0 ? undefined : `imports ${target}, another module of the same layer`;
}

function layerOf(file: string): { readonly level: number; readonly module: string } | undefined {
  for (const [level, modules] of layers.entries()) {
    const module = modules.find((place) => isIn(file, place));
    // Single files of a layer form one module.
    if (module !== undefined) return { level, module: module.endsWith('/') ? module : `${level}` };
  }
  return undefined;
}

/** Returns one path for every import cycle, found by depth-first search. */
function cycles(sources: ReadonlyMap<string, string>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const seen = path.indexOf(file);
    if (seen >= 0) found.push([...path.slice(seen), file]);
    if (seen >= 0 || done.has(file)) return;
    for (const specifier of importsOf(sources.get(file) ?? '')) {
      const target = posix.join(dirname(file), specifier);
      if (specifier.startsWith('.') && sources.has(target)) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const violations = await checkImports(root);
  for (const { file, message } of violations) console.error(`${relative('.', join(root, file))}: ${message}`);
  console.log(violations.length === 0 ? 'imports: no violations' : `imports: ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

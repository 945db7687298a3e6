// The paths that determine how an input renders: its files, and every symbolic link on the way to them.

import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { parseYaml } from '../codec/yaml/parse.ts';
import { orUndefined } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { member, textMember } from '../manifest/objects.ts';
import { validateOrder } from '../order/validate.ts';
import { casesOf, readCaseWords } from './cases.node.ts';
import { readOrderFile } from './orders.node.ts';
import type { RenderSettings, RunIo } from './settings.ts';

/** A set of paths. A folder stands for everything below it. */
export class InputPaths {
  readonly #paths = new Set<string>();

  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  /** Adds a file or folder, links that lead to it, and links out of it. */
  add(path: string): void {
    const end = this.#follow(resolve(path));
    if (end !== undefined && isFolder(end)) this.#addLinksBelow(end);
  }

  /** Adds a chart: its files and its `file://` dependencies. */
  addChart(path: string): void {
    const isKnown = this.#paths.has(resolve(path));
    this.add(path);
    if (isKnown) return;
    for (const dependency of localDependencies(path)) this.addChart(resolve(path, dependency));
  }

  /** Adds a values file, and its files of objects for `lookup`. */
  addValues(file: string): void {
    this.add(file);
    if (!existsSync(file) || isFolder(file)) return;
    const { cluster } = readCaseWords(readFileSync(file, 'utf8'), file);
    for (const name of cluster) this.add(resolve(dirname(file), name));
  }

  /** Adds a file of code or configuration, and files that it references by relative path, such as imports. */
  addCode(file: string): void {
    const isKnown = this.#paths.has(resolve(file));
    this.add(file);
    if (isKnown || !existsSync(file) || isFolder(file)) return;
    const names = readFileSync(file, 'utf8').matchAll(/["'`](\.{1,2}\/[^"'`\n]+)["'`]/g);
    for (const [, name = ''] of names) {
      const path = resolve(dirname(file), name);
      const found = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json'].find((ending) => existsSync(path + ending));
      if (found !== undefined) this.addCode(path + found);
    }
  }

  // Every link on the way counts, not only the target. Returns the target; undefined for cyclic links.
  #follow(path: string): string | undefined {
    const [root = '', ...rest] = path.split(sep);
    let done = `${root}${sep}`;
    this.#paths.add(path);
    for (let links = 0, step = rest.shift(); step !== undefined; step = rest.shift()) {
      const next = join(done, step);
      if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
        done = next;
        continue;
      }
      if (++links > 255) return undefined;
      this.#paths.add(next);
      const target = resolve(done, readlinkSync(next));
      const [top = '', ...steps] = target.split(sep);
      done = `${top}${sep}`;
      rest.unshift(...steps);
    }
    this.#paths.add(done);
    return done;
  }

  #addLinksBelow(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#addLinksBelow(path);
      else if (entry.isSymbolicLink() && !this.#paths.has(path)) this.add(path);
    }
  }
}

/** Returns the paths that determine how a chart renders with its cases. Throws UsageError. */
export function chartPaths(path: string, given: readonly string[]): InputPaths {
  const paths = new InputPaths();
  paths.addChart(path);
  for (const { valuesFiles } of casesOf(path, given)) for (const file of valuesFiles) paths.addValues(file);
  return paths;
}

/** Returns the paths that determine how an Order renders; undefined for an unreadable one. */
export async function orderPaths(file: string, settings: RenderSettings, io: RunIo): Promise<InputPaths | undefined> {
  const paths = new InputPaths();
  paths.add(resolve(io.cwd, file));
  try {
    const { text, options, pathOf } = await readOrderFile(file, settings, { ...io, stderr: () => {} });
    for (const selection of validateOrder(text.value).order.spec.packages) {
      const { name, version, sourceRef } = selection.chart;
      const chart = await options.registry.resolve({ name, version, sourceRef });
      const path = pathOf({ selection, chart });
      if (path !== undefined) paths.addChart(path);
    }
    return paths;
  } catch (error) {
    // Reported when the Order is rendered.
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** Returns the `file://` folders of a chart, as written. */
function localDependencies(chart: string): string[] {
  // Helm 2 lists dependencies in a separate file.
  return ['Chart.yaml', 'requirements.yaml'].flatMap((name) => localIn(join(chart, name)));
}

function localIn(file: string): string[] {
  if (!existsSync(file) || isFolder(file)) return [];
  const listed = member(orUndefined(() => parseYaml(readFileSync(file, 'utf8'))) ?? null, 'dependencies');
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((one) => /^file:\/\/(.+)$/.exec(textMember(one, 'repository'))?.[1] ?? []);
}

/** Reports whether a path is a folder, or leads to one. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Reports whether a path or a folder that contains it is among paths. */
export function isAmong(path: string, paths: ReadonlySet<string>): boolean {
  return paths.has(path) || (path !== dirname(path) && isAmong(dirname(path), paths));
}

/** Reports whether a change of a file or folder affects paths: it is one of them, or within one, or contains one. */
export function affects(file: string, paths: ReadonlySet<string>): boolean {
  return isAmong(file, paths) || [...paths].some((path) => path.startsWith(file + sep));
}

// The profiles of the supported Helm versions. To add a version, add an entry in `helmVersions`, one here, and its changes in `changes.ts`.

import type { Check } from '../core/arguments.ts';
import { checkArguments, wrongKind } from '../core/arguments.ts';
import {
  defaultHelm,
  findHelmVersion,
  type HelmSelector,
  type HelmVersion,
  helmChoices,
} from '../core/helm-version.ts';
import { getOrCreate } from '../core/lazy.ts';
import { baseRules, type HelmRules } from './base.ts';
import { type HelmChange, helmChanges, type RuleChanges } from './changes.ts';
import type { BuildInfo, Helm, HelmCommandLine, HelmMajor } from './helm.ts';

/** The build information of a release. */
type Release = Pick<BuildInfo, 'gitCommit' | 'goVersion'>;

/** The commits and Go versions of the releases. The commit of 4.3.1 is not available from the module proxy. */
export const releases = {
  '3.17.3': { gitCommit: 'e4da49785aa6e6ee2b86efd5dd9e43400318262b', goVersion: 'go1.23.7' },
  '3.18.6': { gitCommit: 'b76a950f6835474e0906b96c9ec68a2eff3a6430', goVersion: 'go1.24.6' },
  '3.19.5': { gitCommit: '4a19a5b6fb912c5c28a779e73f2e0880d9e239a4', goVersion: 'go1.24.11' },
  '3.20.2': { gitCommit: '8fb76d6ab555577e98e23b7500009537a471feee', goVersion: 'go1.25.9' },
  '3.21.4': { gitCommit: '813176c51bb5c181dbbd7901298ddcc104cd3417', goVersion: 'go1.26.5' },
  '3.22.0': { gitCommit: '144ca65f8501953fa8b41cd1d37c7223051c85b7', goVersion: 'go1.26.8' },
  '4.1.4': { gitCommit: '05fa37973dc9e42b76e1d2883494c87174b6074f', goVersion: 'go1.25.9' },
  '4.2.3': { gitCommit: '43e8b7feece8beb0fcba47059ec9b522fd929a64', goVersion: 'go1.26.5' },
  '4.2.4': { gitCommit: '3900f434fd3ef2b84065dc04508df48f288dba00', goVersion: 'go1.26.5' },
  '4.3.1': { gitCommit: '', goVersion: 'go1.27.2' },
} satisfies Readonly<Record<HelmVersion, Release>>;

const releaseOf: ReadonlyMap<string, Release> = new Map(Object.entries(releases));

/** The validation rule of a Helm version selector. */
export const helmArgument: Check = (value, path) => {
  if (findHelmVersion(value) !== undefined || (typeof value === 'string' && intermediate.test(value))) return [];
  if (typeof value !== 'string') return wrongKind(value, path, 'a Helm version', `Give ${helmChoices}.`);
  const message = `must be a supported Helm version, not ${JSON.stringify(value)}`;
  return [{ path, message, severity: 'error', hint: `Give ${helmChoices}.` }];
};

const profiles = new Map<string, Helm>();

/** Returns the profile for a valid selector. Default: the default version. */
export function helmOf(selector: HelmSelector = defaultHelm): Helm {
  const name = findHelmVersion(selector) ?? String(selector);
  return getOrCreate(profiles, name, () => makeProfile(name));
}

// Profiles with some of the changes between two versions, in their order.
const intermediate = /^([34](?:\d|\.(?!\.))*)\.\.([34][\d.]*)@(\d+)$/;

/** Returns the name of the intermediate profile with the first of the changes between two versions. */
export function profileBetween(from: string, to: string, count: number): string {
  return `${from}..${to}@${count}`;
}

/**
 * Returns how the command line of a Helm version behaves, by default that of the default version. For programs that take Helm's flags.
 * Throws ARGUMENT_INVALID.
 */
export function describeCommandLine(helm: HelmSelector = defaultHelm): HelmCommandLine {
  checkArguments('describeCommandLine', ['helm', helm, helmArgument]);
  const { major, command, lint } = helmOf(helm);
  return { major, ...command, lintRequiresPath: lint.requiresPath };
}

function makeProfile(name: string): Helm {
  const [, from, to = name, count] = intermediate.exec(name) ?? [];
  const done = new Set(from === undefined ? [] : changesBetween(from, to).slice(0, Number(count)));
  const hasOwn = (change: HelmChange): boolean => hasChange(from === undefined || done.has(change) ? to : from, change);
  const rules = helmChanges.filter(hasOwn).reduce((known, change) => withRules(known, change.rules), baseRules);
  const client = rules.reportsKubeClient && { kubeClientVersion: rules.kubeVersion.version.replace(/\.0$/, '') };
  const version = `v${to}`;
  const build = { version, gitCommit: '', goVersion: '', ...releaseOf.get(to), ...client };
  return { ...rules, name, major: majorOf(to), version, build };
}

/** Returns the changes that one of two versions has and the other does not. */
export function changesBetween(from: string, to: string): readonly HelmChange[] {
  return helmChanges.filter((change) => hasChange(from, change) !== hasChange(to, change));
}

/** Reports whether a version has a change. */
export function hasChange(version: string, { since }: Pick<HelmChange, 'since'>): boolean {
  const first = since[majorOf(version)];
  return first !== undefined && compareReleases(first, version) <= 0;
}

/** Returns the major version of a version. */
export function majorOf(version: string): HelmMajor {
  return version.startsWith('3') ? 3 : 4;
}

function withRules(rules: HelmRules, changes: RuleChanges): HelmRules {
  const merged: Record<string, unknown> = { ...rules };
  for (const [name, change] of Object.entries(changes)) {
    const known = merged[name];
    merged[name] = isGroup(known) && isGroup(change) ? { ...known, ...change } : change;
  }
  return { ...rules, ...merged };
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compareReleases(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = x.findIndex((number, i) => number !== y[i]);
  return at < 0 ? 0 : x[at]! - y[at]!;
}

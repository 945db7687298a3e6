// The options of the library's functions over files: settings from flags and a configuration, and the command's surroundings.

import { parseBool } from '../go/number.ts';
import { type ChartSettings, orderOutputs, type RenderSettings } from '../inputs/settings.ts';
import { type FlagSpec, type ParsedFlags, UsageError } from './flags.ts';
import type { CommandIo } from './program.ts';

interface Field<Value> {
  readonly flag: string;
  readonly read: (texts: readonly string[]) => Value;
}

const list = (flag: string): Field<readonly string[]> => ({ flag, read: (texts) => texts });
const text = (flag: string, otherwise: string): Field<string> => ({ flag, read: (texts) => texts.at(-1) || otherwise });
const on = (flag: string): Field<boolean> => ({ flag, read: (texts) => parseBool(texts.at(-1) ?? 'false') });

const validations = ['strict', 'warn'] as const;

type Named = Omit<RenderSettings, 'forCharts'>;

const fields: { readonly [Name in keyof Named]: Field<RenderSettings[Name]> } = {
  helm: list('helm'),
  kubeVersions: list('kube-version'),
  apiVersions: list('api-versions'),
  charts: list('charts'),
  values: list('values'),
  set: list('set'),
  setString: list('set-string'),
  setJson: list('set-json'),
  setFile: list('set-file'),
  setLiteral: list('set-literal'),
  seed: { flag: 'seed', read: (texts) => texts.at(-1) },
  release: text('release', 'release-name'),
  namespace: text('namespace', 'default'),
  isUpgrade: on('is-upgrade'),
  skipSchemaValidation: on('skip-schema-validation'),
  skipCrds: on('skip-crds'),
  // For Helm's commands it is a bool, which asks a cluster.
  validate: { flag: 'validate', read: (texts) => validations.find((one) => one === texts.at(-1)) ?? 'ignore' },
  withApiVersions: list('with-api-versions'),
  withValues: list('with-values'),
  // Other commands have other outputs.
  outputs: { flag: 'output', read: (texts) => orderOutputs.filter((one) => texts.includes(one)) },
  showSecrets: on('show-secrets'),
};

const entries = Object.entries(fields) as readonly (readonly [keyof Named, Field<unknown>])[];

function readFields(
  wanted: readonly (readonly [name: string, field: Field<unknown>])[],
  textsOf: (flag: string) => readonly string[],
): Partial<Named> {
  return Object.fromEntries(wanted.map(([name, { flag, read }]) => [name, read(textsOf(flag))]));
}

/** Returns the settings of a command line and its configuration; the command line overrides settings of single charts. */
export function renderSettings(flags: ParsedFlags): RenderSettings {
  const forCharts = flags.chartSettings.map(({ charts, texts }): ChartSettings => {
    const own = entries.filter(([, { flag }]) => Object.hasOwn(texts, flag) && !flags.isGiven(flag));
    return { charts, settings: readFields(own, (flag) => texts[flag] ?? []) };
  });
  return { ...(readFields(entries, (flag) => flags.list(flag)) as Named), forCharts };
}

/** Returns the settings of a command that renders once: of several versions on its command line, the last one. */
export function singleRenderSettings(flags: ParsedFlags): RenderSettings {
  const settings = renderSettings(flags);
  const version = flags.isGiven('kube-version') ? flags.text('kube-version') : undefined;
  return version === undefined ? settings : { ...settings, kubeVersions: [version] };
}

/** Returns a command's surroundings as options of the library. */
export function surroundings({
  cwd,
  env,
  stdin,
  stderr,
}: CommandIo): Pick<CommandIo, 'cwd' | 'env' | 'stdin' | 'stderr'> {
  return { cwd, env, stdin, stderr };
}

/** Flags whose texts for the later side of a difference add to those of both; others replace them. */
const addingFlags: ReadonlySet<string> = new Set([
  'values',
  'set',
  'set-string',
  'set-json',
  'set-file',
  'set-literal',
]);

/** Returns settings overridden by the flags of the later side of a difference, which begin with `new-`. */
export function laterSettings(settings: RenderSettings, flags: ParsedFlags): RenderSettings {
  const own = entries.filter(([, { flag }]) => flags.has(`new-${flag}`));
  const later = own.map(([name, { flag, read }]) => {
    const texts = flags.list(`new-${flag}`);
    return [name, addingFlags.has(flag) ? [...(settings[name] as readonly string[]), ...texts] : read(texts)] as const;
  });
  return { ...settings, ...Object.fromEntries(later) };
}

/** The common flags of which the later side has its own. */
const laterNames = [...addingFlags, 'kube-version', 'api-versions', 'helm', 'namespace', 'release'];

/** Returns the later side's own flags, derived from the common ones. */
export function laterSpecs(specs: readonly FlagSpec[]): FlagSpec[] {
  const chosen = specs.filter(({ name }) => laterNames.includes(name));
  return chosen.map(({ short: _, default: __, name, ...spec }) => ({
    ...spec,
    name: `new-${name}`,
    help: addingFlags.has(name)
      ? `as --${name}, of the later side alone, over those`
      : `as --${name}, of the later side alone`,
  }));
}

export function hasLater(flags: ParsedFlags): boolean {
  return laterNames.some((name) => flags.has(`new-${name}`));
}

/** Returns the format that --format or --json selects. Throws UsageError for two of them. */
export function formatOf<Format extends string>(flags: ParsedFlags): Format | 'json' | 'text' {
  const format = flags.text('format') as Format | undefined;
  if (flags.on('json') && format !== undefined && format !== 'json') {
    throw new UsageError(`--json cannot be used with --format ${format}`);
  }
  return format ?? (flags.on('json') ? 'json' : 'text');
}

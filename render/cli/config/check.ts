// The members of a configuration file, derived from the flag tables, and its validation: returns all problems with their JSON paths, or the flag values.

import { catchGoError } from '../../core/catch.ts';
import { didYouMean } from '../../core/suggest.ts';
import { type ChartFlags, type FlagSpec, readFlagText } from '../flags.ts';
import type { Program } from '../program.ts';
import type { CommandSpec } from '../table/command.ts';
import { globalFlags, orderFlags } from '../table/shared.ts';
import { snapshotSpec } from '../table/snapshot.ts';

export interface ConfigMember {
  readonly key: string;
  readonly flag: FlagSpec;
}

export interface ConfigSection {
  /** For example `natsConfig`. */
  readonly key: string;
  readonly formerKeys: readonly string[];
  readonly spec: CommandSpec;
  readonly members: readonly ConfigMember[];
  /** Whether it can contain the command's inputs. */
  readonly hasInputs: boolean;
  /** The names of emulator settings that it can contain, in the member `settings`. */
  readonly settings: readonly string[];
}

// They select a configuration, or apply to a single call.
const ownWords = new Set(['config', 'no-config', 'stdio']);

/** The top-level members: each applies to all commands with the flag. */
export const sharedMembers: readonly ConfigMember[] = [...orderFlags, ...globalFlags]
  .filter(({ name }) => !ownWords.has(name))
  .map(memberOf);

/** The member that sets other members for some charts only, by path or pattern. */
export const chartSettingsKey = 'chartSettings';

const chartFlags = new Set([
  ...['values', 'set', 'with-values', 'namespace', 'release', 'kube-version', 'api-versions', 'with-api-versions'],
  ...['skip-schema-validation', 'skip-crds', 'validate'],
]);

/** The members that can be set for some charts only; they mean the same as for `snapshot`. */
export const chartMembers: readonly ConfigMember[] = snapshotSpec.flags
  .filter(({ name }) => chartFlags.has(name))
  .map(memberOf);

export function sectionOf(spec: CommandSpec): ConfigSection {
  return {
    key: camelCase(spec.name),
    formerKeys: (spec.aliases ?? []).map(camelCase),
    spec,
    members: spec.flags.filter((flag) => !ownWords.has(flag.name) && flag.isSetting !== true).map(memberOf),
    hasInputs: spec.offers === 'files',
    settings: spec.settings ?? [],
  };
}

export async function allSections({ commands }: Program): Promise<readonly ConfigSection[]> {
  const configured = commands.filter(({ isConfigured }) => isConfigured);
  return Promise.all(configured.map(async ({ spec }) => sectionOf(await spec())));
}

/** Returns the names of the sections without loading the commands. */
export function sectionKeys({ commands }: Program): readonly string[] {
  return commands
    .filter(({ isConfigured }) => isConfigured)
    .flatMap(({ heading }) => [heading.name, ...(heading.aliases ?? [])].map(camelCase));
}

function memberOf(flag: FlagSpec): ConfigMember {
  return { key: camelCase(flag.name), flag };
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A problem of a configuration: its JSON path and a message. */
export interface ConfigFault {
  readonly path: string;
  readonly message: string;
}

interface ConfigReading {
  readonly faults: readonly ConfigFault[];
  /** Texts by flag name. */
  readonly defaults: ReadonlyMap<string, readonly string[]>;
  readonly inputs: readonly string[];
  readonly chartSettings: readonly ChartFlags[];
}

/** Resolves a path in a configuration relative to the command's working directory. */
export type PathReader = (path: string) => string;

interface ConfigTarget {
  readonly section: ConfigSection;
  readonly sections: readonly string[];
  readonly pathOf: PathReader;
}

// The values files and versions of another command, if its own section has none.
const followedKeys: ReadonlySet<string> = new Set(['values', 'kubeVersion', 'apiVersions']);

/** The members that an object may have, and what reads each. */
type MemberReaders = ReadonlyMap<string, (value: unknown, path: string) => void>;

/** Reads the configuration of a section's command; other sections are validated by their commands. */
export function readConfig(config: unknown, { section, sections, pathOf }: ConfigTarget): ConfigReading {
  const faults: ConfigFault[] = [];
  const defaults = new Map<string, readonly string[]>();
  const inputs: string[] = [];
  const chartSettings: ChartFlags[] = [];
  const ownKeys = new Set<string>();
  let followed: readonly (readonly [key: string, value: unknown])[] = [];
  const fault = (path: string, message: string): void => void faults.push({ path, message });
  const expectObject = (value: unknown, path: string): value is Readonly<Record<string, unknown>> => {
    if (!isObject(value)) fault(path, `expected an object, not ${nameOf(value)}`);
    return isObject(value);
  };

  function readMembers(value: unknown, path: string, readers: MemberReaders): void {
    if (!expectObject(value, path)) return;
    for (const [key, member] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      const read = readers.get(key);
      if (read === undefined) fault(at, `there is no such member${didYouMean(key, [...readers.keys()])}`);
      else read(member, at);
    }
  }

  function readTexts(flag: FlagSpec, value: unknown, path: string): readonly string[] | undefined {
    const isList = (flag.type === 'strings' || flag.type === 'stringArray') && Array.isArray(value);
    const values: readonly unknown[] = isList ? value : [value];
    const texts = values.flatMap((one, at) => readText(flag, one, isList ? `${path}[${at}]` : path) ?? []);
    return texts.length < values.length && flag.type !== 'strings' ? undefined : texts;
  }

  function readText(flag: FlagSpec, value: unknown, path: string): readonly string[] | undefined {
    const takesNumber = ['port', 'count'].includes(flag.form ?? '') || flag.type === 'int' || flag.type === 'float';
    const fits =
      flag.type === 'bool'
        ? typeof value === 'boolean'
        : typeof value === 'string' || (takesNumber && typeof value === 'number');
    if (!fits) {
      const expected = flag.type === 'bool' ? 'true or false' : 'a text in quotes';
      fault(path, `expected ${expected}, not ${nameOf(value)}`);
      return undefined;
    }
    const isPath = flag.offers === 'files' || flag.offers === 'folders';
    const text = isPath ? String(value).split(',').map(pathOf).join(',') : String(value);
    return catchGoError(
      () => readFlagText(flag, text),
      ({ message }) => {
        fault(path, message);
        return undefined;
      },
    );
  }

  // A command without the flag ignores it; its own section takes precedence.
  const readShared = ({ key, flag }: ConfigMember, value: unknown, path: string): void => {
    const texts = readTexts(flag, value, path);
    const own = section.members.some(
      (member) => member.flag === flag || (member.key === key && member.flag.isShared === true),
    );
    if (own && texts !== undefined && !defaults.has(flag.name)) defaults.set(flag.name, texts);
  };

  const readOwn = ({ key, flag }: ConfigMember, value: unknown, path: string): void => {
    ownKeys.add(key);
    const texts = readTexts(flag, value, path);
    if (texts !== undefined) defaults.set(flag.name, texts);
  };

  const readInputs = (value: unknown, path: string): void => {
    if (!Array.isArray(value)) {
      fault(path, `expected a list of texts, not ${nameOf(value)}`);
      return;
    }
    for (const [at, input] of value.entries()) {
      if (typeof input === 'string' && input !== '') inputs.push(pathOf(input));
      else fault(`${path}[${at}]`, `expected a path, not ${nameOf(input)}`);
    }
  };

  // Their content is validated by their own table.
  const readSettings = (value: unknown, path: string): void => {
    if (!expectObject(value, path)) return;
    const texts = Object.entries(value).map(([name, setting]) => `${name}=${textOf(setting)}`);
    defaults.set('set', texts);
  };

  // A later entry overrides an earlier one.
  const readChartSettings = (value: unknown, key: string): void => {
    if (!expectObject(value, key)) return;
    for (const [charts, settings] of Object.entries(value)) {
      const path = `${key}[${JSON.stringify(charts)}]`;
      if (charts.trim() === '') {
        fault(path, 'expected the path of a chart, or a pattern such as charts/*');
        continue;
      }
      const texts: Record<string, readonly string[]> = {};
      const readers = readersOf(chartMembers, ({ flag }, given, at) => {
        const own = readTexts(flag, given, at);
        if (own !== undefined) texts[flag.name] = own;
      });
      readMembers(settings, path, new Map(readers));
      chartSettings.push({ charts: pathOf(charts).replaceAll('\\', '/'), texts });
    }
  };

  const readMisplaced = (_: unknown, path: string): void => {
    fault(path, `is a setting: write it as ${path.replace('.', '.settings.')}`);
  };
  const ownReaders: MemberReaders = new Map([
    ...section.settings.map((name) => [name, readMisplaced] as const),
    ...readersOf(section.members, readOwn),
    ...(section.hasInputs ? [['inputs', readInputs] as const] : []),
    ...(section.settings.length > 0 ? [['settings', readSettings] as const] : []),
  ]);
  const readSection = (value: unknown, path: string): void => {
    if (path === section.key || section.formerKeys.includes(path)) readMembers(value, path, ownReaders);
    else if (expectObject(value, path) && path === section.spec.follows) followed = Object.entries(value);
  };
  readMembers(
    config,
    '',
    new Map([
      ...readersOf(sharedMembers, readShared),
      ...sections.map((key) => [key, readSection] as const),
      [chartSettingsKey, readChartSettings],
      ['$schema', () => {}],
    ]),
  );
  for (const [key, value] of followed) {
    const member = section.members.find((own) => own.key === key);
    const isTaken = member === undefined || !followedKeys.has(key) || ownKeys.has(key);
    if (!isTaken) readOwn(member, value, `${section.spec.follows}.${key}`);
  }
  return { faults, defaults, inputs, chartSettings };
}

function readersOf(
  members: readonly ConfigMember[],
  read: (member: ConfigMember, value: unknown, path: string) => void,
): (readonly [string, (value: unknown, path: string) => void])[] {
  return members.map((member) => [member.key, (value, path) => read(member, value, path)]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') return JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function textOf(setting: unknown): string {
  return typeof setting === 'string' ? setting : (JSON.stringify(setting) ?? '');
}

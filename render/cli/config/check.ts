// The members of a configuration file, derived from the flag tables, and its validation: returns all problems with their JSON paths, or the flag values.

import { didYouMean } from '../../core/suggest.ts';
import { GoError } from '../../go/value.ts';
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
  /** Earlier names of the section, which still work. */
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
    formerKeys: (spec.formerNames ?? []).map(camelCase),
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
    .flatMap(({ heading }) => [heading.name, ...(heading.formerNames ?? [])].map(camelCase));
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

/** Reads the configuration of a section's command; other sections are validated by their commands. */
export function readConfig(config: unknown, target: ConfigTarget): ConfigReading {
  const reader = new ConfigReader(target);
  reader.readTop(config);
  return reader;
}

const followed: ReadonlySet<string> = new Set(['values', 'kubeVersion', 'apiVersions']);

class ConfigReader implements ConfigReading {
  readonly faults: ConfigFault[] = [];
  readonly defaults = new Map<string, readonly string[]>();
  readonly inputs: string[] = [];
  readonly chartSettings: ChartFlags[] = [];
  readonly #section: ConfigSection;
  readonly #sections: readonly string[];
  readonly #pathOf: PathReader;

  constructor({ section, sections, pathOf }: ConfigTarget) {
    this.#section = section;
    this.#sections = sections;
    this.#pathOf = pathOf;
  }

  readTop(config: unknown): void {
    if (!isObject(config)) {
      this.#fault('', `expected an object, not ${nameOf(config)}`);
      return;
    }
    const known = [...sharedMembers.map(({ key }) => key), ...this.#sections, chartSettingsKey, '$schema'];
    for (const [key, value] of Object.entries(config)) {
      const member = sharedMembers.find((shared) => shared.key === key);
      if (member !== undefined) this.#readShared(member, value);
      else if (key === this.#section.key || this.#section.formerKeys.includes(key)) this.#readSection(key, value);
      else if (key === chartSettingsKey) this.#readChartSettings(value);
      else if (!known.includes(key)) this.#fault(key, `there is no such member${didYouMean(key, known)}`);
      else if (key !== '$schema' && !isObject(value)) this.#fault(key, `expected an object, not ${nameOf(value)}`);
    }
    const { follows } = this.#section.spec;
    if (follows !== undefined) this.#readFollowed(config[this.#section.key], config[follows]);
  }

  // The values files and versions of another command, if its own section has none.
  #readFollowed(own: unknown, other: unknown): void {
    if (!isObject(other)) return;
    for (const { key, flag } of this.#section.members) {
      if (!followed.has(key) || !(key in other) || (isObject(own) && key in own)) continue;
      this.#put(flag, this.#textsOf(`${this.#section.spec.follows}.${key}`, flag, other[key]));
    }
  }

  // A command without the flag ignores it; its own section takes precedence.
  #readShared({ key, flag }: ConfigMember, value: unknown): void {
    const texts = this.#textsOf(key, flag, value);
    const own = this.#section.members.find(
      (member) => member.flag === flag || (member.key === key && member.flag.isShared),
    );
    if (own !== undefined && texts !== undefined && !this.defaults.has(flag.name)) this.defaults.set(flag.name, texts);
  }

  #readSection(name: string, value: unknown): void {
    const { members, hasInputs, settings } = this.#section;
    if (!isObject(value)) {
      this.#fault(name, `expected an object, not ${nameOf(value)}`);
      return;
    }
    const known = [
      ...members.map(({ key }) => key),
      ...(hasInputs ? ['inputs'] : []),
      ...(settings.length > 0 ? ['settings'] : []),
    ];
    for (const [key, given] of Object.entries(value)) {
      const path = `${name}.${key}`;
      const member = members.find((own) => own.key === key);
      if (member !== undefined) this.#put(member.flag, this.#textsOf(path, member.flag, given));
      else if (this.#section.settings.includes(key))
        this.#fault(path, `is a setting: write it as ${name}.settings.${key}`);
      else if (!known.includes(key)) this.#fault(path, `there is no such member${didYouMean(key, known)}`);
      else if (key === 'settings') this.#readSettings(path, given);
      else this.#readInputs(path, given);
    }
  }

  // A later entry overrides an earlier one.
  #readChartSettings(value: unknown): void {
    if (!isObject(value)) {
      this.#fault(chartSettingsKey, `expected an object, not ${nameOf(value)}`);
      return;
    }
    const known = chartMembers.map(({ key }) => key);
    for (const [charts, settings] of Object.entries(value)) {
      const path = `${chartSettingsKey}[${JSON.stringify(charts)}]`;
      if (charts.trim() === '') this.#fault(path, 'expected the path of a chart, or a pattern such as charts/*');
      else if (!isObject(settings)) this.#fault(path, `expected an object, not ${nameOf(settings)}`);
      else {
        const texts: Record<string, readonly string[]> = {};
        for (const [key, given] of Object.entries(settings)) {
          const member = chartMembers.find((own) => own.key === key);
          const own = member && this.#textsOf(`${path}.${key}`, member.flag, given);
          if (member === undefined) this.#fault(`${path}.${key}`, `there is no such member${didYouMean(key, known)}`);
          else if (own !== undefined) texts[member.flag.name] = own;
        }
        this.chartSettings.push({ charts: this.#pathOf(charts).replaceAll('\\', '/'), texts });
      }
    }
  }

  #readInputs(path: string, value: unknown): void {
    if (!Array.isArray(value)) {
      this.#fault(path, `expected a list of texts, not ${nameOf(value)}`);
      return;
    }
    for (const [at, input] of value.entries()) {
      if (typeof input === 'string' && input !== '') this.inputs.push(this.#pathOf(input));
      else this.#fault(`${path}[${at}]`, `expected a path, not ${nameOf(input)}`);
    }
  }

  // Their content is validated by their own table.
  #readSettings(path: string, value: unknown): void {
    if (!isObject(value)) {
      this.#fault(path, `expected an object, not ${nameOf(value)}`);
      return;
    }
    const texts = Object.entries(value).map(([name, setting]) => `${name}=${textOf(setting)}`);
    this.defaults.set('set', texts);
  }

  #put(flag: FlagSpec, texts: readonly string[] | undefined): void {
    if (texts !== undefined) this.defaults.set(flag.name, texts);
  }

  #textsOf(path: string, flag: FlagSpec, value: unknown): readonly string[] | undefined {
    const isList = flag.type === 'strings' || flag.type === 'stringArray';
    const values = isList && Array.isArray(value) ? value : [value];
    const texts = values.flatMap((one, at) => {
      const place = isList && Array.isArray(value) ? `${path}[${at}]` : path;
      return this.#textOf(place, flag, one) ?? [];
    });
    return texts.length < values.length && flag.type !== 'strings' ? undefined : texts;
  }

  #textOf(path: string, flag: FlagSpec, value: unknown): readonly string[] | undefined {
    const isNumber =
      typeof value === 'number' &&
      (flag.form === 'port' || flag.form === 'count' || flag.type === 'int' || flag.type === 'float');
    const fits = flag.type === 'bool' ? typeof value === 'boolean' : typeof value === 'string' || isNumber;
    if (!fits) {
      this.#fault(
        path,
        `expected ${flag.type === 'bool' ? 'true or false' : 'a text in quotes'}, not ${nameOf(value)}`,
      );
      return undefined;
    }
    const isPath = flag.offers === 'files' || flag.offers === 'folders';
    const text = isPath ? String(value).split(',').map(this.#pathOf).join(',') : String(value);
    try {
      return readFlagText(flag, text);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      this.#fault(path, error.message);
      return undefined;
    }
  }

  #fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }
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

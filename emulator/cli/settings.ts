// The settings of the emulator as flags: one for each setting that has one, `--set NAME=VALUE` for all. Generated from the table of
// settings, so that new ones appear automatically.

import { type FlagSpec, type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandSpec } from '../../render/cli/table/command.ts';
import { didYouMean } from '../../render/core/suggest.ts';
import type { JsonValue } from '../../render/index.ts';
import {
  type OrderLimits,
  type SettingName,
  type SettingRule,
  type Settings,
  settingIssues,
  settingRules,
} from '../settings.ts';

const settingNames = Object.keys(settingRules) as readonly SettingName[];
const rules = settingNames.map((name) => [name, settingRules[name] as SettingRule<JsonValue>] as const);

const setFlag: FlagSpec = {
  name: 'set',
  type: 'stringArray',
  placeholder: 'NAME=VALUE',
  form: 'setting',
  isAdded: true,
  isSetting: true,
  offers: settingNames.map((name) => `${name}=`),
  help: 'set one of the settings below',
};

/** Returns `serve` with the flags of the settings, and the table for `--set`. */
export function withSettings(spec: CommandSpec): CommandSpec {
  const title = 'Settings (--set NAME=VALUE, or settings.json of --fixtures)';
  const rows = rules.map(
    ([name, { description, default: value }]) => [name, `${description} (default ${short(value)})`] as const,
  );
  const flags = [...rules.flatMap(([, rule]) => flagOf(rule)), setFlag];
  return { ...spec, flags: [...flags, ...spec.flags], settings: settingNames, tables: [{ title, rows }] };
}

function flagOf({ schema, description, default: value, flag }: SettingRule<JsonValue>): readonly FlagSpec[] {
  if (flag === undefined) return [];
  const help = `${flag.sets === false ? 'do not ' : ''}${description.charAt(0).toLowerCase()}${description.slice(1)}`;
  if (flag.value === undefined) return [{ name: flag.name, type: 'bool', isSetting: true, help }];
  const type = schema.type === 'array' ? 'stringArray' : 'string';
  return [{ name: flag.name, type, placeholder: flag.value, default: short(value), isSetting: true, help }];
}

// The limits of a rendering are one setting of three numbers; each has a flag in the table of `serve`.
const limitFlags: readonly (readonly [flag: string, limit: keyof OrderLimits])[] = [
  ['render-time', 'milliseconds'],
  ['render-output', 'outputBytes'],
  ['render-memory', 'memory'],
];

// Long lists are in the reference of the settings.
function short(value: JsonValue): string {
  const text = typeof value === 'string' ? value || '""' : JSON.stringify(value);
  return text.length <= 60 ? text : `${(value as readonly JsonValue[]).length} entries`;
}

/** Returns the settings of a command line. Throws a UsageError that names the flag. */
export function settingsOf(flags: ParsedFlags): Partial<Settings> {
  const settings: Record<string, JsonValue> = {};
  const written = new Map<string, string>();
  const put = (name: SettingName, value: JsonValue, how: string): void => {
    settings[name] = value;
    written.set(name, how);
  };
  for (const text of flags.list('set')) {
    const [name = '', value = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
    if (!isSettingName(name)) {
      throw new UsageError(
        `--set ${text}: there is no setting ${JSON.stringify(name)}${didYouMean(name, settingNames)}`,
      );
    }
    put(name, parseSetting(name, value), `--set ${text}`);
  }
  for (const [name, { schema, flag }] of rules) {
    if (flag === undefined || !flags.has(flag.name)) continue;
    const texts = flags.list(flag.name);
    if (flag.value === undefined) put(name, flags.on(flag.name) === (flag.sets ?? true), `--${flag.name}`);
    else if (schema.type === 'array') put(name, [...texts], `--${flag.name} ${texts.join(` --${flag.name} `)}`);
    else put(name, parseSetting(name, texts.at(-1) ?? ''), `--${flag.name} ${texts.at(-1)}`);
  }
  for (const [flag, limit] of limitFlags) {
    const text = flags.text(flag);
    if (text === undefined) continue;
    put(
      'limits',
      { ...(settings.limits as Partial<OrderLimits> | undefined), [limit]: Number(text) },
      `--${flag} ${text}`,
    );
  }
  const issues = settingIssues(settings);
  const [first] = issues;
  if (first === undefined) return settings as Partial<Settings>;
  const name = nameIn(first.path);
  const { hint, description } = settingRules[name as SettingName] as SettingRule<JsonValue>;
  const faults = issues
    .filter((issue) => nameIn(issue.path) === name)
    .map(({ path, message }) => {
      // Clearer than the pattern in the schema validator's message.
      const what = hint !== undefined && message.startsWith('must match') ? hint : message;
      // List items are separate flags on the command line; members of an object have names.
      return path.includes('.') ? `${path}: ${what}` : what;
    });
  throw new UsageError(`${written.get(name) ?? '--set'}: ${faults.join('; ')}`, `${name}: ${description}.`);
}

// JSON for numbers, booleans, lists and objects; a list can also be comma-separated. An invalid text stays, so that validation reports it.
function parseSetting(name: SettingName, value: string): JsonValue {
  const { type } = settingRules[name].schema;
  if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return type === 'array' ? value.split(',').map((item) => item.trim()) : value;
  }
}

function nameIn(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? '';
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingRules, name);
}

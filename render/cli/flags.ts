// Parses the command line like Go's pflag: repeatable flags, `--set=a=b`, `-fx`, `-f x`, flags among arguments.
// Mirrors: github.com/spf13/pflag, flag.go and its types, v1.0.5.

import { convertGoError } from '../core/catch.ts';
import { findHelmVersion, helmChoices } from '../core/helm-version.ts';
import { didYouMean, suggest } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';
import { parseBool, parseFloat64, parseInt64, parseUint64, quote } from '../go/number.ts';
import { parseDuration } from '../go/time/duration.ts';
import { GoError } from '../go/value.ts';

export { UsageError };

/** The type of a flag: `strings` splits its text at commas as CSV, `stringArray` does not; both are repeatable. */
type FlagType =
  | 'bool'
  | 'string'
  | 'strings'
  | 'stringArray'
  | 'int'
  | 'uint'
  | 'float'
  | 'duration'
  | 'labels'
  | 'wait'
  | keyof typeof logReaders;

export interface FlagSpec {
  readonly name: string;
  readonly short?: string;
  readonly type: FlagType;
  /** The value of the flag without an argument, if that is allowed. */
  readonly bare?: string;
  readonly help: string;
  /** The placeholder of the value in help, such as `DIR`. Default by type. */
  readonly placeholder?: string;
  /** The allowed values, the default first. */
  readonly words?: readonly string[];
  /** The required format, in addition to the type. */
  readonly form?: FlagForm;
  /** The default, as shown in help. */
  readonly default?: string;
  /** Whether values on the command line add to those of a configuration file instead of replacing them. Default false. */
  readonly isAdded?: boolean;
  /** Whether it is a setting of the emulator. Default false. */
  readonly isSetting?: boolean;
  /** Whether the top level of a configuration applies to it, although it accepts more than the flags of other commands. */
  readonly isShared?: boolean;
  /** The completions of its value. */
  readonly offers?: 'files' | 'folders' | readonly string[];
}

/** Flags that a configuration sets for some charts only. */
export interface ChartFlags {
  /** Path of a chart, or a pattern, relative to the current folder. */
  readonly charts: string;
  /** Checked texts by flag name. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

export interface ParsedFlags {
  /** The arguments, in order. */
  readonly args: readonly string[];
  /** The configuration for some charts only, applied by `flagsForChart`. */
  readonly chartSettings: readonly ChartFlags[];
  /** Whether help was requested; parsing stopped there. */
  readonly help: boolean;
  /** Returns the names of the flags on the command line, in order of first occurrence. */
  given(): readonly string[];
  isGiven(name: string): boolean;
  /** Reports whether the flag is set, there or in a configuration file. */
  has(name: string): boolean;
  /** Returns the last text of a flag, or undefined. */
  text(name: string): string | undefined;
  on(name: string): boolean;
  /** Returns all values of a repeatable flag, in order. */
  list(name: string): readonly string[];
  /** Returns the same command line with the defaults of a configuration. */
  withDefaults(options: ReadFlagsOptions): ParsedFlags;
}

export interface ReadFlagsOptions {
  /** Stops at the first argument; it and the rest are `args`. Default false. */
  readonly stopAtWord?: boolean;
  /** Defaults of flags that are not set, checked texts by flag name. Default none. */
  readonly defaults?: ReadonlyMap<string, readonly string[]>;
  /** Default arguments. Default none. */
  readonly defaultArgs?: readonly string[];
  /** Default none. */
  readonly chartSettings?: readonly ChartFlags[];
  /** Skips unknown flags, like pflag's `UnknownFlags`. Default false: they are errors. */
  readonly skipsUnknown?: boolean;
}

/** Parses a command line. Throws UsageError. */
export function parseFlags(
  specs: readonly FlagSpec[],
  argv: readonly string[],
  options: ReadFlagsOptions = {},
): ParsedFlags {
  const reader = new FlagReader(specs, argv, options);
  reader.run();
  if (reader.args.length === 0) reader.args.push(...(options.defaultArgs ?? []));
  return reader;
}

/**
 * Returns the texts of a table's flags among others, up to the first error, by flag name. An unknown flag is skipped with the word after
 * it, unless that begins with a dash, although it may not have been the flag's value.
 */
export function readAhead(specs: readonly FlagSpec[], argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const reader = new FlagReader(specs, argv, { skipsUnknown: true });
  try {
    reader.run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return new Map(reader.given().map((name) => [name, reader.list(name)]));
}

/** Returns what a text adds to a flag: itself, or its parts if the flag is a list. Throws GoError for an invalid text. */
export function readFlagText(spec: FlagSpec, text: string): readonly string[] {
  const parts = readers[spec.type](text);
  for (const part of parts) {
    if (spec.words !== undefined && !spec.words.includes(part)) {
      throw new GoError(`takes ${spec.words.join(', ')}, not ${quote(part)}${didYouMean(part, spec.words)}`);
    }
    if (spec.form !== undefined) checkForm(spec.form, part);
  }
  return parts;
}

class FlagReader implements ParsedFlags {
  readonly args: string[] = [];
  help = false;
  readonly #byName: ReadonlyMap<string, FlagSpec>;
  readonly #byLetter: ReadonlyMap<string, FlagSpec>;
  readonly #words = new Map<string, string[]>();
  readonly #rest: string[];
  readonly #options: ReadFlagsOptions;
  readonly withDefaults: ParsedFlags['withDefaults'];

  constructor(specs: readonly FlagSpec[], argv: readonly string[], options: ReadFlagsOptions) {
    this.#options = options;
    this.withDefaults = (defaults) => parseFlags(specs, argv, defaults);
    this.#byName = new Map(specs.map((spec) => [spec.name, spec]));
    this.#byLetter = new Map(specs.flatMap((spec) => (spec.short === undefined ? [] : [[spec.short, spec]])));
    this.#rest = [...argv];
  }

  get chartSettings(): readonly ChartFlags[] {
    return this.#options.chartSettings ?? [];
  }

  run(): void {
    while (this.#rest.length > 0 && !this.help) {
      const word = this.#rest.shift()!;
      if (word === '--') {
        this.args.push(...this.#rest.splice(0));
      } else if (word.startsWith('--')) {
        this.#readLong(word);
      } else if (word.startsWith('-') && word.length > 1) {
        this.#readShort(word.slice(1));
      } else {
        this.args.push(word, ...(this.#options.stopAtWord ? this.#rest.splice(0) : []));
      }
    }
  }

  given(): readonly string[] {
    return [...this.#words.keys()];
  }

  isGiven(name: string): boolean {
    return this.#words.has(name);
  }

  has(name: string): boolean {
    return this.#texts(name) !== undefined;
  }

  text(name: string): string | undefined {
    return this.#texts(name)?.at(-1);
  }

  on(name: string): boolean {
    const text = this.text(name);
    return text !== undefined && parseBool(text);
  }

  list(name: string): readonly string[] {
    return this.#texts(name) ?? [];
  }

  #texts(name: string): readonly string[] | undefined {
    const [given, before] = [this.#words.get(name), this.#options.defaults?.get(name)];
    if (given === undefined || before === undefined) return given ?? before;
    return this.#byName.get(name)?.isAdded === true ? [...before, ...given] : given;
  }

  #readLong(word: string): void {
    const equals = word.indexOf('=');
    const name = word.slice(2, equals < 0 ? undefined : equals);
    if (name === '' || name.startsWith('-')) throw new UsageError(`bad flag syntax: ${word}`);
    const spec = this.#byName.get(name);
    if (spec === undefined) {
      if (name !== 'help') {
        if (this.#options.skipsUnknown) {
          if (equals < 0) this.#skipValue();
          return;
        }
        const meant = suggest(name, [...this.#byName.keys(), 'help']);
        throw new UsageError(`unknown flag: --${name}`, meant && `Did you mean --${meant}?`);
      }
      this.help = equals < 0 || readHelp(word.slice(equals + 1));
    } else if (equals >= 0) {
      this.#take(spec, word.slice(equals + 1));
    } else {
      const bare = bareText(spec) ?? this.#rest.shift();
      if (bare === undefined) throw new UsageError(`flag needs an argument: ${word}`);
      this.#take(spec, bare);
    }
  }

  #readShort(letters: string): void {
    // The flags of Go tests do not exist here.
    if (letters.startsWith('test.')) return;
    const letter = letters.charAt(0);
    const after = letters.slice(1);
    const spec = this.#byLetter.get(letter);
    if (spec === undefined) {
      this.#readUnknownShort(letter, after);
      return;
    }
    const bare = bareText(spec);
    if (after.length > 1 && after.startsWith('=')) {
      this.#take(spec, after.slice(1));
    } else if (bare !== undefined) {
      this.#take(spec, bare);
      if (after !== '') this.#readShort(after);
    } else {
      const text = after === '' ? this.#rest.shift() : after;
      if (text === undefined) throw new UsageError(`flag needs an argument: '${letter}' in -${letters}`);
      this.#take(spec, text);
    }
  }

  #readUnknownShort(letter: string, after: string): void {
    if (letter === 'h') this.help = true;
    else if (!this.#options.skipsUnknown) {
      throw new UsageError(`unknown shorthand flag: '${letter}' in -${letter}${after}`);
    } else if (after === '') this.#skipValue();
    else if (after.length === 1 || !after.startsWith('=')) this.#readShort(after);
  }

  #skipValue(): void {
    if (this.#rest[0]?.startsWith('-') === false) this.#rest.shift();
  }

  #take(spec: FlagSpec, text: string): void {
    const before = this.#words.get(spec.name) ?? [];
    const own = convertGoError(
      () => readFlagText(spec, text),
      ({ message }) => {
        if (spec.words !== undefined || spec.form !== undefined) return new UsageError(`--${spec.name} ${message}`);
        const flag = spec.short === undefined ? `--${spec.name}` : `-${spec.short}, --${spec.name}`;
        return new UsageError(`invalid argument ${quote(text)} for ${quote(flag)} flag: ${message}`);
      },
    );
    this.#words.set(spec.name, [...before, ...own]);
  }
}

function readHelp(text: string): boolean {
  return convertGoError(
    () => parseBool(text),
    ({ message }) => new UsageError(`invalid argument ${quote(text)} for "-h, --help" flag: ${message}`),
  );
}

function bareText(spec: FlagSpec): string | undefined {
  return spec.bare ?? (spec.type === 'bool' ? 'true' : undefined);
}

// The flags of klog, the logger of Kubernetes' libraries in Helm, by type. Each throws GoError.
// Mirrors: k8s.io/klog/v2, klog.go, `Level.Set`, `severityValue.Set`, `moduleSpec.Set`, `traceLocation.Set`, v2.130.1.
const logReaders = {
  level: (text: string) => {
    readLevel(text);
    return [text];
  },
  severity: (text: string) => {
    if (!['INFO', 'WARNING', 'ERROR', 'FATAL'].includes(text.toUpperCase())) readLevel(text);
    return [text];
  },
  vmodule: (text: string) => {
    for (const part of text.split(',')) {
      if (part === '') continue;
      const [pattern, level, ...more] = part.split('=');
      if (!pattern || !level || more.length > 0) throw new GoError(syntax.vmodule);
      convertGoError(
        () => readLevel(level),
        () => new GoError(syntax.vmodule),
      );
      if (Number(level) < 0) throw new GoError('negative value for vmodule level');
    }
    return [text];
  },
  codePlace: (text: string) => {
    const [file = '', line = '', ...more] = text.split(':');
    if (text === '') return [text];
    if (more.length > 0 || !file.includes('.') || !/^[+-]?\d+$/.test(line)) throw new GoError(syntax.place);
    if (Number(line) <= 0) throw new GoError('negative or zero value for level');
    return [text];
  },
  size: (text: string) => {
    parseUint64(text, 0);
    return [text];
  },
} satisfies Readonly<Record<string, (text: string) => readonly string[]>>;

// Checks the text and returns what it adds to the flag. Throws GoError.
const readers: Readonly<Record<FlagType, (text: string) => readonly string[]>> = {
  bool: (text) => checked(text, parseBool),
  string: (text) => [text],
  stringArray: (text) => [text],
  strings: splitCsv,
  int: (text) => checked(text, (number) => parseInt64(number, 0)),
  uint: (text) => checked(text, (number) => parseUint64(number, 0)),
  float: (text) => checked(text, parseFloat64),
  duration: (text) => checked(text, parseDuration),
  labels: (text) => splitLabels(text).map(checkLabel),
  wait: (text) => [checkWait(text)],
  ...logReaders,
};

function checked(text: string, read: (text: string) => unknown): readonly string[] {
  read(text);
  return [text];
}

// Helm 4's strategies; boolean words are aliases of two of them.
function checkWait(text: string): string {
  if (['watcher', 'legacy', 'hookOnly', 'true', 'false'].includes(text)) return text;
  throw new GoError(`invalid wait input ${quote(text)}. Valid inputs are watcher, hookOnly, and legacy`);
}

// Text with one `=` is a single label, including commas.
// Mirrors: spf13/pflag, string_to_string.go, `Set`.
function splitLabels(text: string): readonly string[] {
  const equals = text.split('=').length - 1;
  return equals > 1 ? splitCsv(text) : [equals === 1 ? text.replace(/^"+|(?<!")"+$/g, '') : text];
}

function checkLabel(label: string): string {
  if (!label.includes('=')) throw new GoError(`${label} must be formatted as key=value`);
  return label;
}

/** Splits one line of CSV. Mirrors: Go, encoding/csv, `Reader.Read`, with its errors. */
function splitCsv(text: string): readonly string[] {
  if (text === '') return [];
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    const [field, end] = text.startsWith('"', at) ? quotedField(text, at) : plainField(text, at);
    fields.push(field);
    if (end >= text.length) return fields;
    at = end;
  }
}

function plainField(text: string, start: number): [field: string, end: number] {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  const field = text.slice(start, end);
  if (field.includes('"')) throw csvError(start + field.indexOf('"') + 1, 'bare " in non-quoted-field');
  return [field, end];
}

function quotedField(text: string, start: number): [field: string, end: number] {
  let field = '';
  for (let at = start + 1; ; ) {
    const mark = text.indexOf('"', at);
    if (mark < 0) throw csvError(text.length + 1, 'extraneous or missing " in quoted-field');
    field += text.slice(at, mark);
    const next = text.charAt(mark + 1);
    if (next !== '"') {
      if (next !== '' && next !== ',') throw csvError(mark + 1, 'extraneous or missing " in quoted-field');
      return [field, mark + 1];
    }
    field += '"';
    at = mark + 2;
  }
}

function csvError(column: number, message: string): GoError {
  return new GoError(`parse error on line 1, column ${column}: ${message}`);
}

type FlagForm = keyof typeof forms;

const forms = {
  port: { expected: 'a whole number from 0 to 65535', fits: (text: string) => isWhole(text, 65_535) },
  count: {
    expected: 'a whole number from 1 on',
    fits: (text: string) => isWhole(text, 2 ** 31 - 1) && Number(text) > 0,
  },
  time: { expected: 'a time such as 2025-01-01T00:00:00Z', fits: (text: string) => !Number.isNaN(Date.parse(text)) },
  path: { expected: 'a path', fits: (text: string) => text !== '' },
  host: {
    expected: 'an address of this machine such as 127.0.0.1, or 0.0.0.0 for all of its networks',
    fits: (text: string) => text !== '*' && isHostName(text),
  },
  server: { expected: 'an address such as https://platform.example.com', fits: isServer },
  hostName: { expected: 'a host name such as emulator.example.com, or "*" for all', fits: isHostName },
  address: { expected: 'HOST:PORT such as 127.0.0.1:4222', fits: isAddress },
  helm: { expected: helmChoices, fits: (text: string) => findHelmVersion(text) !== undefined },
  setting: { expected: 'NAME=VALUE', fits: (text: string) => /^[^=]+=/.test(text) },
} satisfies Readonly<Record<string, { readonly expected: string; readonly fits: (text: string) => boolean }>>;

/** Checks a text. Throws GoError with what was expected. */
export function checkForm(form: FlagForm, text: string): void {
  if (!forms[form].fits(text)) throw new GoError(`takes ${forms[form].expected}, not ${quote(text)}`);
}

function isWhole(text: string, limit: number): boolean {
  return /^\d+$/.test(text) && Number(text) <= limit;
}

function isHostName(text: string): boolean {
  return text === '*' || /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.|$))+$/i.test(text) || isIpv6(text);
}

function isIpv6(text: string): boolean {
  return URL.canParse(`http://${text.startsWith('[') ? text : `[${text}]`}`);
}

function isAddress(text: string): boolean {
  const parts = /^(\[[^\]]+\]|[^:[\]]*):(\d+)$/.exec(text);
  return parts !== null && isWhole(parts[2] ?? '', 65_535) && (parts[1] === '' || isHostName(parts[1] ?? ''));
}

function isServer(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const syntax = {
  vmodule: 'syntax error: expect comma-separated list of filename=N',
  place: 'syntax error: expect file.go:234',
};

function readLevel(text: string): void {
  const level = parseInt64(text, 10);
  if (BigInt.asIntN(32, level) !== level) throw new GoError(`strconv.ParseInt: parsing "${text}": value out of range`);
}

// Versions and version constraints as charts and `semverCompare` read them.
// Mirrors: Masterminds/semver, version.go and constraints.go, v3.3.0.

import { parseUint64 } from './number.ts';
import { compileRegexp } from './regexp/regexp.ts';
import { encodeUtf8 } from './utf8.ts';
import { compareStrings, func, GoError, type GoFunc, GoObject, type GoValue, Int, int } from './value.ts';

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const versionText = new RegExp(
  `^v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`,
);

interface Parts {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: string;
  readonly metadata: string;
}

/** What counting the highest number up does: version 3.5 of the library refuses it. */
export type Overflow = 'fails' | 'wraps';

interface VersionOptions {
  readonly kind?: 'struct' | 'ptr';
  readonly overflow?: Overflow;
}

/** A semantic version: `*semver.Version`, or `semver.Version` where a method gives a new one. */
export class Version extends GoObject implements Parts {
  readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: string;
  readonly metadata: string;
  /** The text it was read from. */
  readonly original: string;
  readonly overflow: Overflow;

  constructor(parts: Parts, original: string, { kind = 'ptr', overflow = 'wraps' }: VersionOptions = {}) {
    super();
    this.overflow = overflow;
    this.kind = kind;
    this.type = kind === 'ptr' ? '*semver.Version' : 'semver.Version';
    this.major = parts.major;
    this.minor = parts.minor;
    this.patch = parts.patch;
    this.pre = parts.pre;
    this.metadata = parts.metadata;
    this.original = original;
  }

  /** Gives the canonical text: three numbers, and no `v`. */
  override string(): string {
    return `${this.major}.${this.minor}.${this.patch}${this.pre && `-${this.pre}`}${this.metadata && `+${this.metadata}`}`;
  }

  // All of its fields are unexported.
  override deepCopy(): GoObject {
    return new Version({ major: 0n, minor: 0n, patch: 0n, pre: '', metadata: '' }, '', this);
  }

  override json(): GoValue {
    return this.string();
  }

  override layout(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['major', new Int(this.major, 'uint64')],
      ['minor', new Int(this.minor, 'uint64')],
      ['patch', new Int(this.patch, 'uint64')],
      ['pre', this.pre],
      ['metadata', this.metadata],
      ['original', this.original],
    ]);
  }

  override method(name: string): GoFunc | undefined {
    return versionMethods.get(name)?.(this);
  }
}

type Part = 'major' | 'minor' | 'patch';

function next(version: Version, part: Part): bigint {
  const number = BigInt.asUintN(64, version[part] + 1n);
  if (number === 0n && version.overflow === 'fails')
    throw new GoError(`${part} version increment would overflow uint64`);
  return number;
}

function successor(version: Version, change: Partial<Parts>): Version {
  const { major, minor, patch, pre, metadata } = version;
  const parts = new Version({ major, minor, patch, pre, metadata, ...change }, '');
  const prefix = version.original.startsWith('v') ? 'v' : '';
  return new Version(parts, prefix + parts.string(), { kind: 'struct', overflow: version.overflow });
}

function getter(get: (version: Version) => GoValue): (version: Version) => GoFunc {
  return (version) => func([], () => get(version));
}

function comparer(test: (order: number) => GoValue): (version: Version) => GoFunc {
  return (version) => func(['*semver.Version'], (other) => test(compareVersions(version, other as Version)));
}

const versionMethods: ReadonlyMap<string, (version: Version) => GoFunc> = new Map([
  ['String', getter((version) => version.string())],
  ['Original', getter((version) => version.original)],
  ['Major', getter((version) => new Int(version.major, 'uint64'))],
  ['Minor', getter((version) => new Int(version.minor, 'uint64'))],
  ['Patch', getter((version) => new Int(version.patch, 'uint64'))],
  ['MarshalText', getter((version) => encodeUtf8(version.string()))],
  ['MarshalJSON', getter((version) => encodeUtf8(JSON.stringify(version.string())))],
  ['Value', getter((version) => version.string())],
  ['Prerelease', getter((version) => version.pre)],
  ['Metadata', getter((version) => version.metadata)],
  [
    'IncPatch',
    getter((version) =>
      // A prerelease comes before its release, which is thus the next patch.
      successor(version, { pre: '', metadata: '', patch: version.pre === '' ? next(version, 'patch') : version.patch }),
    ),
  ],
  [
    'IncMinor',
    getter((version) => successor(version, { pre: '', metadata: '', patch: 0n, minor: next(version, 'minor') })),
  ],
  [
    'IncMajor',
    getter((version) =>
      successor(version, { pre: '', metadata: '', patch: 0n, minor: 0n, major: next(version, 'major') }),
    ),
  ],
  [
    'SetPrerelease',
    (version) =>
      func(['string'], (pre) => {
        checkPrerelease(pre);
        return successor(version, { pre });
      }),
  ],
  [
    'SetMetadata',
    (version) =>
      func(['string'], (metadata) => {
        if (/[^0-9A-Za-z.-]/.test(metadata)) throw new GoError('Invalid Metadata string');
        return successor(version, { metadata });
      }),
  ],
  ['Compare', comparer((order) => int(order))],
  ['LessThan', comparer((order) => order < 0)],
  ['LessThanEqual', comparer((order) => order <= 0)],
  ['GreaterThan', comparer((order) => order > 0)],
  ['GreaterThanEqual', comparer((order) => order >= 0)],
  ['Equal', comparer((order) => order === 0)],
]);

/** Reads a version leniently: a `v` before it and missing numbers are fine. Throws `GoError`. Mirrors: `NewVersion`. */
export function parseVersion(text: string, overflow: Overflow = 'wraps'): Version {
  const match = versionText.exec(text);
  if (match === null) throw new GoError('Invalid Semantic Version');
  const [, major = '', minor = '0', patch = '0', pre = '', metadata = ''] = match;
  const numbers = { major: parseSegment(major), minor: parseSegment(minor), patch: parseSegment(patch) };
  checkPrerelease(pre);
  return new Version({ ...numbers, pre, metadata }, text, { overflow });
}

/** Tells whether `parseVersion` takes a text. */
export function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}

function parseSegment(digits: string): bigint {
  try {
    return parseUint64(digits, 10);
  } catch (error) {
    throw new GoError(`Error parsing version segment: ${(error as GoError).message}`);
  }
}

function checkPrerelease(pre: string): void {
  for (const part of pre.split('.')) {
    if (/^0[0-9]+$/.test(part)) throw new GoError('Version segment starts with 0');
    if (/[^0-9A-Za-z-]/.test(part)) throw new GoError('Invalid Prerelease string');
  }
}

/** Compares two versions by precedence: -1, 0 or 1. Metadata does not count. Mirrors: `Version.Compare`. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePrereleases(a.pre, b.pre)
  );
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareIdentifiers(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

// Fewer identifiers come first, numbers before words, numbers by value, words by their bytes.
function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x > y ? 1 : -1;
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return compareStrings(a, b) > 0 ? 1 : -1;
}

function numberOf(identifier: string): bigint | undefined {
  if (!/^[0-9]+$/.test(identifier)) return undefined;
  const value = BigInt(identifier);
  return value <= 0xffffffffffffffffn ? value : undefined;
}

/** One comparison of a constraint, such as `>=1.2`. */
interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** Whether some number is missing or a wildcard; then which is the first of them. */
  readonly dirty: 'major' | 'minor' | 'patch' | undefined;
}

/** A version constraint: groups of comparisons, one group of which must hold whole. */
export class Constraint {
  readonly #groups: readonly (readonly Comparison[])[];

  constructor(groups: readonly (readonly Comparison[])[]) {
    this.#groups = groups;
  }

  /** Tells whether the version satisfies the constraint. Mirrors: `Constraints.Check`. */
  check(version: Version): boolean {
    return this.#groups.some((group) => group.every((comparison) => holds(comparison, version)));
  }
}

const space = '[\\t\\n\\f\\r ]';
const wild = '[0-9|xX*]+';
const looseVersion = `v?(${wild})(?:\\.(${wild}))?(?:\\.(${wild}))?(-${identifiers})?(\\+${identifiers})?`;
const comparisonText = new RegExp(
  `${space}*(?:(!=|>=|=>|<=|=<|~>|[=><~^])${space}*)?${looseVersion}(${space}*,?)${space}*`,
  'y',
);
// In linear time, which the reading of digits again from every digit on would not be.
const hyphenRange = `${space}*(${looseVersion})${space}+-${space}+(${looseVersion})${space}*`;
const hyphen = new RegExp(`${space}-${space}`);

/**
 * Reads a constraint: comparisons joined by spaces or commas (and) and by `||` (or); `A - B` is a range.
 * Throws `GoError` 'improper constraint: …'. Mirrors: `NewConstraint`.
 */
export function parseConstraint(text: string): Constraint {
  const known = constraints.get(text);
  if (known !== undefined) return known;
  const constraint = new Constraint(expandRanges(text).split('||').map(parseGroup));
  if (constraints.size >= maxConstraints) constraints.clear();
  constraints.set(text, constraint);
  return constraint;
}

// Charts ask for the same few again and again.
const constraints = new Map<string, Constraint>();
const maxConstraints = 500;

function expandRanges(text: string): string {
  if (!hyphen.test(text)) return text;
  const ranges = compileRegexp(hyphenRange);
  let result = text;
  // Group 1 is the lower version, group 7 the upper one: five groups of its parts stand between.
  for (const range of ranges.findAllString(text, -1)) {
    result = result.replace(range, () => ranges.replaceAllString(range, '>= $1, <= $7 '));
  }
  return result;
}

function parseGroup(text: string): Comparison[] {
  const improper = (): GoError => new GoError(`improper constraint: ${text}`);
  const comparisons: RegExpExecArray[] = [];
  for (let at = 0; at < text.length || comparisons.length === 0; ) {
    comparisonText.lastIndex = at;
    const match = comparisonText.exec(text);
    if (match === null) throw improper();
    comparisons.push(match);
    at += match[0].length;
    const comma = match[7]?.endsWith(',') ?? false;
    const separated = comma || /[\t\n\f\r ]$/.test(match[0]);
    if (at < text.length ? !separated : comma) throw improper();
  }
  return comparisons.map(comparisonOf);
}

function comparisonOf(match: RegExpExecArray): Comparison {
  const [, operator = '', major = '', minor = '', patch = '', pre = ''] = match;
  const metadata = match[6] ?? '';
  const isOpen = (part: string): boolean => part === '' || part === '*' || part === 'x' || part === 'X';
  let dirty: Comparison['dirty'];
  let version = `${major}.${minor}.${patch}${pre}${metadata}`;
  if (isOpen(major)) {
    dirty = 'major';
    version = `0.0.0${pre}`;
  } else if (isOpen(minor)) {
    dirty = 'minor';
    version = `${major}.0.0${pre}`;
  } else if (isOpen(patch)) {
    dirty = 'patch';
    version = `${major}.${minor}.0${pre}`;
  }
  try {
    return { operator, version: parseVersion(version), dirty };
  } catch {
    throw new GoError('constraint Parser Error');
  }
}

type Test = (version: Version, wanted: Version, dirty: Comparison['dirty']) => boolean;

const operators: Readonly<Record<string, Test>> = {
  '': tildeOrEqual,
  '=': tildeOrEqual,
  '>': greater,
  '<': (version, wanted) => compareVersions(version, wanted) < 0,
  '>=': (version, wanted) => compareVersions(version, wanted) >= 0,
  '=>': (version, wanted) => compareVersions(version, wanted) >= 0,
  '<=': lessOrEqual,
  '=<': lessOrEqual,
  '~': tilde,
  '~>': tilde,
  '^': caret,
};

function holds({ operator, version: wanted, dirty }: Comparison, version: Version): boolean {
  if (operator === '!=') return differs(version, wanted, dirty);
  // A prerelease only satisfies a comparison that names a prerelease itself.
  if (version.pre !== '' && wanted.pre === '') return false;
  return operators[operator]!(version, wanted, dirty);
}

function differs(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (dirty === undefined) return compareVersions(version, wanted) !== 0;
  if (version.pre !== '' && wanted.pre === '') return false;
  if (version.major !== wanted.major) return true;
  if (dirty === 'minor') return false;
  if (version.minor !== wanted.minor) return true;
  if (dirty === 'patch') return comparePrereleases(version.pre, wanted.pre) !== 0;
  return compareVersions(version, wanted) !== 0;
}

function tildeOrEqual(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  return dirty === undefined ? compareVersions(version, wanted) === 0 : tilde(version, wanted, dirty);
}

function greater(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (dirty === undefined || version.major !== wanted.major) return compareVersions(version, wanted) > 0;
  if (dirty === 'minor') return false;
  if (dirty === 'patch') return version.minor > wanted.minor;
  return compareVersions(version, wanted) > 0;
}

function lessOrEqual(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (dirty === undefined) return compareVersions(version, wanted) <= 0;
  if (version.major !== wanted.major) return version.major < wanted.major;
  return version.minor <= wanted.minor || dirty === 'minor';
}

function tilde(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (isZero && (dirty === undefined || dirty === 'major')) return true;
  return version.major === wanted.major && (version.minor === wanted.minor || dirty === 'minor');
}

// `^` lets everything change to the right of the first number that is not zero.
function caret(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (compareVersions(version, wanted) < 0 || version.major !== wanted.major) return false;
  if (wanted.major > 0n || dirty === 'minor') return true;
  if (version.minor !== wanted.minor) return false;
  return wanted.minor > 0n || dirty === 'patch' || version.patch === wanted.patch;
}

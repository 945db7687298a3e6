// Versions and constraints in charts and `semverCompare`.
// Mirrors: Masterminds/semver, version.go and constraints.go, v3.3.0 to v3.5.0; `SemverRules` has the differences.

import { convertGoError, orUndefined } from '../core/catch.ts';
import { parseUint64, quote } from './number.ts';
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

/** Differences between releases of the library. */
export interface SemverRules {
  /**
   * Whether a comparison with a pre-release allows pre-releases for its whole AND group (3.4). Otherwise each comparison allows them for
   * itself, and `!=` with a full version always does.
   */
  readonly prereleasesByGroup: boolean;
  /** Whether long texts are refused: versions over 256 bytes, constraints over 512 bytes or 32 groups (3.5). */
  readonly limitsLength: boolean;
  /** Whether incrementing the highest number fails (3.5); otherwise it overflows to 0. */
  readonly refusesOverflow: boolean;
  /** Whether errors begin with a capital letter (up to 3.3). */
  readonly capitalizesErrors: boolean;
  /** Whether errors quote versions and constraints (3.5). */
  readonly quotesConstraints: boolean;
}

export const semver33: SemverRules = {
  prereleasesByGroup: false,
  limitsLength: false,
  refusesOverflow: false,
  capitalizesErrors: true,
  quotesConstraints: false,
};

export const semver34: SemverRules = { ...semver33, prereleasesByGroup: true, capitalizesErrors: false };

export const semver35: SemverRules = {
  ...semver34,
  limitsLength: true,
  refusesOverflow: true,
  quotesConstraints: true,
};

function failure({ capitalizesErrors }: SemverRules, text: string, cause = ''): GoError {
  return new GoError((capitalizesErrors ? text : text.toLowerCase()) + cause);
}

function improperConstraint({ quotesConstraints }: SemverRules, text: string): GoError {
  return new GoError(`improper constraint: ${quotesConstraints ? quote(text) : text}`);
}

interface VersionOptions {
  readonly kind?: 'struct' | 'ptr';
  readonly rules?: SemverRules;
}

/** A semantic version: `*semver.Version`, or `semver.Version` where a method returns a new one. */
export class Version extends GoObject implements Parts {
  readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: string;
  readonly metadata: string;
  readonly original: string;
  readonly rules: SemverRules;

  constructor(parts: Parts, original: string, { kind = 'ptr', rules = semver33 }: VersionOptions = {}) {
    super();
    this.rules = rules;
    this.kind = kind;
    this.type = kind === 'ptr' ? '*semver.Version' : 'semver.Version';
    this.major = parts.major;
    this.minor = parts.minor;
    this.patch = parts.patch;
    this.pre = parts.pre;
    this.metadata = parts.metadata;
    this.original = original;
  }

  /** Returns the canonical text: three numbers, without a leading `v`. */
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
  if (number === 0n && version.rules.refusesOverflow) {
    throw new GoError(`${part} version increment would overflow uint64`);
  }
  return number;
}

function successor(version: Version, change: Partial<Parts>): Version {
  const { major, minor, patch, pre, metadata } = version;
  const parts = new Version({ major, minor, patch, pre, metadata, ...change }, '');
  const prefix = version.original.startsWith('v') ? 'v' : '';
  return new Version(parts, prefix + parts.string(), { kind: 'struct', rules: version.rules });
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
      // A prerelease comes before its release, which is therefore the next patch.
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
        checkPrerelease(pre, version.rules);
        return successor(version, { pre });
      }),
  ],
  [
    'SetMetadata',
    (version) =>
      func(['string'], (metadata) => {
        if (/[^0-9A-Za-z.-]/.test(metadata)) throw failure(version.rules, 'Invalid Metadata string');
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

/**
 * Parses a version leniently: a leading `v` and missing numbers are accepted. Throws GoError.
 * Mirrors: `NewVersion`.
 */
export function parseVersion(text: string, rules: SemverRules = semver33): Version {
  if (rules.limitsLength && isLongerThan(text, 256)) throw new GoError('version string is too long (max 256 bytes)');
  const match = versionText.exec(text);
  if (match === null) throw failure(rules, 'Invalid Semantic Version');
  const [, major = '', minor = '0', patch = '0', pre = '', metadata = ''] = match;
  const segment = (digits: string): bigint => parseSegment(digits, rules);
  const numbers = { major: segment(major), minor: segment(minor), patch: segment(patch) };
  checkPrerelease(pre, rules);
  return new Version({ ...numbers, pre, metadata }, text, { rules });
}

/** Reports whether `parseVersion` accepts a text. */
export function isVersion(text: string): boolean {
  return orUndefined(() => parseVersion(text)) !== undefined;
}

/**
 * Reports whether a text is a full semantic version: three numbers without a leading `v` or zeros.
 * Mirrors: `StrictNewVersion`.
 */
export function isStrictVersion(text: string): boolean {
  return strictVersion.test(text) && isVersion(text);
}

const strictVersion =
  /^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || encodeUtf8(text).length > bytes;
}

function parseSegment(digits: string, rules: SemverRules): bigint {
  return convertGoError(
    () => parseUint64(digits, 10),
    ({ message }) => failure(rules, 'Error parsing version segment: ', message),
  );
}

function checkPrerelease(pre: string, rules: SemverRules): void {
  for (const part of pre.split('.')) {
    if (/^0[0-9]+$/.test(part)) throw failure(rules, 'Version segment starts with 0');
    if (/[^0-9A-Za-z-]/.test(part)) throw failure(rules, 'Invalid Prerelease string');
  }
}

/**
 * Compares two versions by precedence: -1, 0 or 1. Metadata is ignored.
 * Mirrors: `Version.Compare`.
 */
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

// Fewer identifiers come first, numbers before words, numbers by value, words by bytes.
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

interface Comparison {
  readonly operator: string;
  readonly version: Version;
  /** The first number that is missing or a wildcard, if any. */
  readonly dirty: 'major' | 'minor' | 'patch' | undefined;
}

/** A version constraint: groups of comparisons. A version must satisfy all comparisons of at least one group. */
export interface Constraint {
  readonly groups: readonly (readonly Comparison[])[];
  readonly rules: SemverRules;
}

/** Reports whether a version satisfies a constraint. Mirrors: `Constraints.Check`. */
export function satisfies(version: Version, { groups, rules }: Constraint): boolean {
  return groups.some((group) => {
    const namesPrerelease = group.some((comparison) => comparison.version.pre !== '');
    return group.every((comparison) => {
      const wanted = comparison.version;
      const admits = rules.prereleasesByGroup ? namesPrerelease : wanted.pre !== '' || isFullInequality(comparison);
      if (version.pre !== '' && !admits) return false;
      return operators[comparison.operator]!(version, wanted, comparison.dirty);
    });
  });
}

function isFullInequality({ operator, dirty }: Comparison): boolean {
  return operator === '!=' && dirty === undefined;
}

const space = '[\\t\\n\\f\\r ]';
const wild = '[0-9|xX*]+';
const looseVersion = `v?(${wild})(?:\\.(${wild}))?(?:\\.(${wild}))?(-${identifiers})?(\\+${identifiers})?`;
const comparisonText = new RegExp(
  `${space}*(?:(!=|>=|=>|<=|=<|~>|[=><~^])${space}*)?${looseVersion}(${space}*,?)${space}*`,
  'y',
);
// In linear time: digits are not read again from every position.
const hyphenRange = `${space}*(${looseVersion})${space}+-${space}+(${looseVersion})${space}*`;
const hyphen = new RegExp(`${space}-${space}`);

/**
 * Parses a constraint: comparisons joined by spaces or commas (and) and by `||` (or); `A - B` is a range. Throws GoError.
 * Mirrors: `NewConstraint`.
 */
export function parseConstraint(text: string, rules: SemverRules = semver33): Constraint {
  if (rules.limitsLength && isLongerThan(text, 512)) {
    throw new GoError('constraint string is too long (max 512 bytes)');
  }
  const groups = expandRanges(text).split('||');
  if (rules.limitsLength && groups.length > 32) throw new GoError('too many constraint groups (max 32)');
  return { groups: groups.map((group) => parseGroup(group, rules)), rules };
}

function expandRanges(text: string): string {
  if (!hyphen.test(text)) return text;
  const ranges = compileRegexp(hyphenRange);
  let result = text;
  // Group 1 is the lower version, group 7 the upper one, with five groups of its parts between.
  for (const range of ranges.findAllString(text, -1)) {
    result = result.replace(range, () => ranges.replaceAllString(range, '>= $1, <= $7 '));
  }
  return result;
}

function parseGroup(text: string, rules: SemverRules): Comparison[] {
  const improper = (): GoError => improperConstraint(rules, text);
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
  return comparisons.map((match) => comparisonOf(match, rules));
}

function comparisonOf(match: RegExpExecArray, rules: SemverRules): Comparison {
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
  return convertGoError(
    () => ({ operator, version: parseVersion(version, rules), dirty }),
    () => failure(rules, 'constraint Parser Error'),
  );
}

type Test = (version: Version, wanted: Version, dirty: Comparison['dirty']) => boolean;

const operators: Readonly<Record<string, Test>> = {
  '': tildeOrEqual,
  '!=': differs,
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

function differs(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (dirty === undefined) return compareVersions(version, wanted) !== 0;
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

// `^` allows changes to the right of the first non-zero number.
function caret(version: Version, wanted: Version, dirty: Comparison['dirty']): boolean {
  if (compareVersions(version, wanted) < 0 || version.major !== wanted.major) return false;
  if (wanted.major > 0n || dirty === 'minor') return true;
  if (version.minor !== wanted.minor) return false;
  return wanted.minor > 0n || dirty === 'patch' || version.patch === wanted.patch;
}

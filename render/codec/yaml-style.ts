// How a string is written in YAML: plain, in quotes, or as a block.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), emitterc.go, `analyze_scalar`, `select_scalar_style`; encode.go, `stringv`.

import { HASH, HYPHEN, isBlank, isBreak, LF, SPACE, TAB } from './yaml-chars.ts';
import { needsQuotes } from './yaml-scalar.ts';

/** Which emitter writes: `compact` is go-yaml v2, of `toYaml`; `pretty` is go-yaml v3, of `toYamlPretty`. */
export type YamlForm = 'compact' | 'pretty';

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** What a text allows. */
interface Traits {
  /** Whether it has a line break of any kind. */
  multiline: boolean;
  plain: boolean;
  single: boolean;
  block: boolean;
}

/** What the writer must know of a string. */
export interface ScalarPlan {
  readonly style: ScalarStyle;
  /** Whether it has a line break of any kind, so that it cannot be a simple key. */
  readonly multiline: boolean;
  /** Whether it is ASCII and nothing but itself: neither escapes nor quotes. */
  readonly isSimple: boolean;
}

const simplePlan: ScalarPlan = { style: 'plain', multiline: false, isSimple: true };

/** Gives the plan for writing a string. `isKey` is for one that stands before a `:` on the same line. */
export function planScalar(text: string, form: YamlForm, isKey: boolean): ScalarPlan {
  const quoted = text === '' || needsQuotes(text);
  if (!quoted && isSimple(text)) return simplePlan;
  const traits = analyze(text, form);
  return { style: chooseStyle(text, traits, quoted, isKey), multiline: traits.multiline, isSimple: false };
}

function chooseStyle(text: string, traits: Traits, quoted: boolean, isKey: boolean): ScalarStyle {
  if (isKey && traits.multiline) return 'double';
  if (text.includes('\n')) return traits.block && !isKey ? 'literal' : 'double';
  if (quoted) return 'double';
  if (traits.plain) return 'plain';
  return traits.single ? 'single' : 'double';
}

// Tells whether a text is of letters, digits and harmless marks only, with single spaces inside: the common case.
function isSimple(text: string): boolean {
  let previous = SPACE;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isWordUnit = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 47;
    if (!isWordUnit && (i === 0 || !isHarmless(unit))) return false;
    if (unit === SPACE && previous === SPACE) return false;
    previous = unit;
  }
  return previous !== SPACE;
}

// What may stand anywhere but at the beginning: space ( ) + - . digits ; < = > @
function isHarmless(unit: number): boolean {
  return unit === SPACE || (unit >= 45 && unit <= 57) || (unit >= 59 && unit <= 64) || (unit >= 40 && unit <= 43);
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

function analyze(text: string, form: YamlForm): Traits {
  if (text === '') return { multiline: false, plain: true, single: true, block: false };
  let indicators = text.startsWith('---') || text.startsWith('...');
  let multiline = false;
  let special = false;
  let tabs = false;
  let spaceAfterBreak = false;
  let spaceBeforeBreak = false;
  let previous = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    indicators ||= isIndicator(text, i, unit, previous);
    if (unit === TAB && form === 'pretty') tabs = true;
    else if (!isPrintable(unit)) special = true;
    if (unit === SPACE) {
      if (isBreak(previous)) spaceAfterBreak = true;
    } else if (isBreak(unit)) {
      multiline = true;
      if (previous === SPACE) spaceBeforeBreak = true;
    }
    previous = unit;
  }
  const first = text.charCodeAt(0);
  const onEdge = first === SPACE || isBreak(first) || previous === SPACE || isBreak(previous);
  const unquotable = special || spaceBeforeBreak || spaceAfterBreak || tabs;
  return {
    multiline,
    plain: !indicators && !multiline && !onEdge && !unquotable,
    single: !unquotable,
    block: previous !== SPACE && !special && !spaceBeforeBreak,
  };
}

// Tells whether a character would be taken for syntax in a plain scalar outside of brackets.
function isIndicator(text: string, at: number, unit: number, previous: number): boolean {
  const beforeBlank = (): boolean => at + 1 === text.length || isBlank(text.charCodeAt(at + 1));
  if (at > 0) {
    if (unit === HASH) return isBlank(previous) || isBreak(previous);
    return unit === 58 && beforeBlank();
  }
  if (unit === 63 || unit === 58 || unit === HYPHEN) return beforeBlank();
  return firstIndicators.includes(text.charAt(0));
}

/** Tells whether the code unit may be written as it is. Half of a pair may not: such characters are escaped. */
export function isPrintable(unit: number): boolean {
  if (unit < 0x7f) return unit >= SPACE || unit === LF;
  return unit >= 0xa0 && (unit < 0xd800 || (unit >= 0xe000 && unit < 0xfffe && unit !== 0xfeff));
}

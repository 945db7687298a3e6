// How a string is written in YAML: plain, in quotes, or as a block.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), emitterc.go, `analyze_scalar`, `select_scalar_style`; encode.go, `stringv`.

import { HYPHEN, isBlank, isBreak, LF, SPACE } from './chars.ts';
import { needsQuotes } from './scalar.ts';

/** Which emitter writes: `compact` is go-yaml v2, of `toYaml`; `pretty` is go-yaml v3, of `toYamlPretty`. */
export type YamlForm = 'compact' | 'pretty';

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** What the writer must know of a string. */
export interface ScalarPlan {
  readonly style: ScalarStyle;
  /** Whether it has a line break of any kind, so that it cannot be a simple key. */
  readonly multiline: boolean;
  /** Whether it is ASCII and nothing but itself: neither escapes nor quotes. */
  readonly isSimple: boolean;
}

const simplePlan: ScalarPlan = { style: 'plain', multiline: false, isSimple: true };

/** Returns the plan for writing a string. `isKey` is for one that is before a `:` on the same line. */
export function planScalar(text: string, form: YamlForm, isKey: boolean): ScalarPlan {
  const quoted = text === '' || needsQuotes(text);
  if (!quoted && isSimple(text)) return simplePlan;
  const multiline = lineBreak.test(text);
  return { style: chooseStyle(text, { form, isKey, quoted, multiline }), multiline, isSimple: false };
}

interface Circumstances {
  readonly form: YamlForm;
  readonly isKey: boolean;
  /** Whether it would be taken for something else without quotes. */
  readonly quoted: boolean;
  readonly multiline: boolean;
}

// CR and NEL are line breaks too, but neither may be written as it is.
const lineBreak = /[\n\r\x85\u2028\u2029]/;
const spaceBeforeBreak = / [\n\r\x85\u2028\u2029]/;
const spaceAfterBreak = /[\n\r\x85\u2028\u2029] /;
const edge = /^[ \u2028\u2029]|[ \u2028\u2029]$/;
// What `isPrintable` does not allow.
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const specialButTab = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

function chooseStyle(text: string, { form, isKey, quoted, multiline }: Circumstances): ScalarStyle {
  if (isKey && multiline) return 'double';
  if (text.includes('\n')) {
    const isSpecial = (form === 'pretty' ? specialButTab : special).test(text);
    return isSpecial || isKey || text.endsWith(' ') || spaceBeforeBreak.test(text) ? 'double' : 'literal';
  }
  if (quoted || special.test(text)) return 'double';
  if (multiline && (spaceBeforeBreak.test(text) || spaceAfterBreak.test(text))) return 'double';
  return multiline || edge.test(text) || hasIndicators(text) ? 'single' : 'plain';
}

// Reports whether a text is of ASCII and may stand without quotes, as long as it would not be taken for a number or the like.
function isSimple(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < SPACE || unit > 126) return false;
  }
  return text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE && !hasIndicators(text);
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

// Reports whether something in a text would be taken for syntax in a plain scalar outside of brackets.
function hasIndicators(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === HYPHEN || first === 63) {
    if (isBlankOrNone(text, 1) || text.startsWith('---')) return true;
  } else if (firstIndicators.includes(text.charAt(0)) || text.startsWith('...')) return true;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1))
    if (isBlankOrNone(text, at + 1)) return true;
  for (let at = text.indexOf('#', 1); at >= 0; at = text.indexOf('#', at + 1)) {
    const previous = text.charCodeAt(at - 1);
    if (isBlank(previous) || isBreak(previous)) return true;
  }
  return false;
}

function isBlankOrNone(text: string, at: number): boolean {
  return at === text.length || isBlank(text.charCodeAt(at));
}

/** Reports whether the code unit may be written as it is. Half of a pair may not: such characters are escaped. */
export function isPrintable(unit: number): boolean {
  if (unit < 0x7f) return unit >= SPACE || unit === LF;
  return unit >= 0xa0 && (unit < 0xd800 || (unit >= 0xe000 && unit < 0xfffe && unit !== 0xfeff));
}

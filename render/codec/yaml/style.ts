// The style of written strings: plain, quoted, or block.
// Mirrors: go-yaml v2 and v3 (sigs.k8s.io/yaml 1.4.0), emitterc.go, `analyze_scalar`, `select_scalar_style`; encode.go, `stringv`.

import { HYPHEN, isBlank, isBreak, LF, SPACE } from './chars.ts';
import { needsQuotes } from './scalar.ts';

/** The emitter: `compact` is go-yaml v2, used by `toYaml`; `pretty` is go-yaml v3, used by `toYamlPretty`. */
export type YamlForm = 'compact' | 'pretty';

/** The style of a scalar. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** How to write a string. */
export interface ScalarPlan {
  readonly style: ScalarStyle;
  /** Whether it contains any line break, so that it cannot be a simple key. */
  readonly multiline: boolean;
  /** Whether it is plain ASCII without escapes or quotes. */
  readonly isSimple: boolean;
}

const simplePlan: ScalarPlan = { style: 'plain', multiline: false, isSimple: true };

/** Returns how to write a string. `isKey`: it is followed by a `:` on the same line. */
export function planScalar(text: string, form: YamlForm, isKey: boolean): ScalarPlan {
  const quoted = text === '' || needsQuotes(text);
  if (!quoted && isSimple(text)) return simplePlan;
  const multiline = lineBreak.test(text);
  return { style: chooseStyle(text, { form, isKey, quoted, multiline }), multiline, isSimple: false };
}

interface Circumstances {
  readonly form: YamlForm;
  readonly isKey: boolean;
  /** Whether it would be read as another type without quotes. */
  readonly quoted: boolean;
  readonly multiline: boolean;
}

// CR and NEL are line breaks too, but neither can be written literally.
const lineBreak = /[\n\r\x85\u2028\u2029]/;
const spaceBeforeBreak = / [\n\r\x85\u2028\u2029]/;
const spaceAfterBreak = /[\n\r\x85\u2028\u2029] /;
const edge = /^[ \u2028\u2029]|[ \u2028\u2029]$/;
// Characters that `isPrintable` does not accept.
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

// Reports whether an ASCII text is valid without quotes, unless it would be read as another type.
function isSimple(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < SPACE || unit > 126) return false;
  }
  return text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE && !hasIndicators(text);
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

// Reports whether a text contains syntax that is invalid in a plain scalar outside of brackets.
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

/** Reports whether the code unit can be written literally. A lone surrogate cannot and is escaped. */
export function isPrintable(unit: number): boolean {
  if (unit < 0x7f) return unit >= SPACE || unit === LF;
  return unit >= 0xa0 && (unit < 0xd800 || (unit >= 0xe000 && unit < 0xfffe && unit !== 0xfeff));
}

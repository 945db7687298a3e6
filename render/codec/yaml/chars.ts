// The character classes of YAML 1.1 in libyaml, over UTF-16 code units. The scanned text ends with a NUL, which is invalid in YAML and
// marks the end of the stream.

/** The end of the text. */
export const NUL = 0;
/** A tab. */
export const TAB = 9;
/** A line feed. */
export const LF = 10;
/** A carriage return. */
export const CR = 13;
/** A space. */
export const SPACE = 32;
/** A double quotation mark. */
export const QUOTE = 34;
/** A `#`. */
export const HASH = 35;
/** A `%`. */
export const PERCENT = 37;
/** A single quotation mark. */
export const APOSTROPHE = 39;
/** A comma. */
export const COMMA = 44;
/** A hyphen. */
export const HYPHEN = 45;
/** A colon. */
export const COLON = 58;
/** A backslash. */
export const BACKSLASH = 92;

/** Reports whether the code unit breaks a line: LF, CR, NEL, LS or PS. */
export function isBreak(unit: number): boolean {
  return unit === LF || unit === CR || (unit >= 0x85 && (unit === 0x85 || unit === 0x2028 || unit === 0x2029));
}

/** Reports whether the code unit breaks a line or ends the text. */
export function isBreakOrEnd(unit: number): boolean {
  return unit === NUL || isBreak(unit);
}

/** Reports whether the code unit is a space or a tab. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** Reports whether the code unit is a space, a tab, a line break or the end of the text. */
export function isBlankOrEnd(unit: number): boolean {
  return unit === SPACE || unit === LF || unit === TAB || isBreakOrEnd(unit);
}

/** Reports whether the code unit is a decimal digit. */
export function isDigitUnit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** Reports whether the code unit can be part of a name: an ASCII letter, a digit, `_` or `-`. */
export function isWord(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || isDigitUnit(unit) || unit === 95 || unit === HYPHEN
  );
}

/** Reports whether the code unit is a hexadecimal digit. */
export function isHex(unit: number): boolean {
  return isDigitUnit(unit) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
}

/** Reports whether the code unit ends a plain scalar inside `[]` and `{}`: `, ? [ ] { }`. */
export function isFlowIndicator(unit: number): boolean {
  return unit === COMMA || unit === 63 || unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

/** Reports whether `---` or `...`, followed by a blank or nothing, is at an offset. The caller checks that a line starts there. */
export function isDocumentMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== HYPHEN && unit !== 46) return false;
  return text.charCodeAt(at + 1) === unit && text.charCodeAt(at + 2) === unit && isBlankOrEnd(text.charCodeAt(at + 3));
}

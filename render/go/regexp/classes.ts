// Named character classes, `\p{Name}`, in patterns.
// Mirrors: Go, regexp/syntax, parse.go, `unicodeTable`, 1.23 and 1.26.

import { GoError } from '../value.ts';

/** How a Go version looks up class names: exactly, or ignoring case and spaces and with the long names of categories. */
export type ClassNames = 'exact' | 'loose';

/**
 * Classes (`\p{Name}`) that re2js has and Go does not, or not under that name: properties, two categories, and scripts added to Unicode
 * after 15.0.
 */
const classesUnknownToGo: ReadonlySet<string> = new Set(
  [
    'ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation',
    'Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase White_Space Cn LC Unknown',
    'Beria_Erfe Garay Gurung_Khema Kirat_Rai Ol_Onal Sidetic Sunuwar Tai_Yo Todhri Tolong_Siki Tulu_Tigalari',
  ].flatMap((names) => names.split(' ')),
);

// A named class, or a text that looks like one; and brackets, which can contain classes.
const parts = /\\Q.*?(?:\\E|$)|\\([pP])(?:\{(\^?)([^}]*)\}|C)|\\.|\[:\^?\w+:\]|\[\^?\]?|\]/gsu;

/** Rewrites every class to a name that re2js knows, according to `isClass`. Throws GoError with Go's message for an unknown name. */
export function knownClasses(pattern: string, names: ClassNames, isClass: (name: string) => boolean): string {
  if (!/\\[pP][C{]/.test(pattern)) return pattern;
  let isBracketed = false;
  return pattern.replace(parts, (part: string, letter?: string, caret = '', name = 'C') => {
    if (letter === undefined) {
      if (/^\[\^?\]?$/.test(part)) isBracketed = true;
      else if (part === ']') isBracketed = false;
      return part;
    }
    if (names === 'exact') {
      if (unknownToGo123.has(name)) throw unknown(part);
      if (name !== 'C') return part;
    }
    const canonical = canonicalOf(name);
    const other = names === 'exact' ? controls123 : special.get(canonical);
    if (other === undefined) {
      if (classesUnknownToGo.has(canonical) || !isClass(canonical)) throw unknown(part);
      return `\\${letter}{${caret}${canonical}}`;
    }
    const members = (letter === 'P') !== (caret === '^') ? other.others : other.members;
    return isBracketed ? members : `[${members}]`;
  });
}

/** The content of brackets for the characters of a class, and for all others. */
interface NamedClass {
  readonly members: string;
  readonly others: string;
}

function unknown(part: string): GoError {
  return new GoError(`error parsing regexp: invalid character class range: \`${part}\``);
}

const unknownToGo123: ReadonlySet<string> = new Set([...classesUnknownToGo, 'Ascii', 'Assigned', 'Lc']);

// Unassigned characters (Cn) were not part of category C until Go 1.25.
const controls123: NamedClass = { members: '\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}', others: '\\PC\\p{Cn}' };

const special: ReadonlyMap<string, NamedClass> = new Map([
  ['Any', { members: '\\x{0}-\\x{10FFFF}', others: '\\P{Any}' }],
  ['Ascii', { members: '\\x{0}-\\x{7F}', others: '\\x{80}-\\x{10FFFF}' }],
  ['Assigned', { members: '\\P{Cn}', others: '\\p{Cn}' }],
  ['Cn', { members: '\\p{Cn}', others: '\\P{Cn}' }],
  ['Lc', { members: '\\p{Lu}\\p{Ll}\\p{Lt}', others: '\\PL\\p{Lm}\\p{Lo}' }],
]);

const categories: ReadonlyMap<string, string> = new Map(
  [
    'Other C,Control Cc,Cntrl Cc,Format Cf,Unassigned Cn,Privateuse Co,Surrogate Cs,Letter L,Casedletter Lc,Lowercaseletter Ll',
    'Modifierletter Lm,Otherletter Lo,Titlecaseletter Lt,Uppercaseletter Lu,Mark M,Combiningmark M,Spacingmark Mc',
    'Enclosingmark Me,Nonspacingmark Mn,Number N,Decimalnumber Nd,Digit Nd,Letternumber Nl,Othernumber No,Punctuation P',
    'Punct P,Connectorpunctuation Pc,Dashpunctuation Pd,Closepunctuation Pe,Finalpunctuation Pf,Initialpunctuation Pi',
    'Otherpunctuation Po,Openpunctuation Ps,Symbol S,Currencysymbol Sc,Modifiersymbol Sk,Mathsymbol Sm,Othersymbol So',
    'Separator Z,Lineseparator Zl,Paragraphseparator Zp,Spaceseparator Zs',
  ].flatMap((line) => line.split(',').map((pair) => pair.split(' ') as [string, string])),
);

// Go compares names without spaces, so only scripts with single-word names are found.
function canonicalOf(name: string): string {
  const bare = name.replace(/[_\- ]/g, '');
  const canonical = bare.slice(0, 1).toUpperCase() + bare.slice(1).toLowerCase();
  return categories.get(canonical) ?? canonical;
}

// Generates calls of template functions, with arguments of the expected kinds and sometimes of other kinds.

import { type Dice, wordList } from '../support/dice.ts';
import { dateText, durationText, layoutText, zones } from './times.ts';
import { constraintText, regexpText, versionText } from './versions.ts';
import { quoted, scalars, text, word } from './words.ts';

type Signature = readonly [name: string, parameters: string, result: string];

/**
 * Functions whose results depend only on their arguments, with the kinds of arguments and result: s string, i integer, f float, b bool,
 * l list, d dict, a anything, w time, h text of a time, o layout, r expression, v version, e parsed version, c constraint, p path, u URL.
 */
const signatures: readonly Signature[] = `
trim s s|trimAll ss s|trimSuffix ss s|trimPrefix ss s|upper s s|lower s s|title s s|untitle s s|repeat is s|substr iis s|nospace s s
trunc is s|abbrev is s|abbrevboth iis s|initials s s|wrap is s|wrapWith iss s|contains ss b|hasPrefix ss b|hasSuffix ss b|quote a* s
squote a* s|cat a* s|indent is s|nindent is s|replace sss s|plural ssi s|snakecase s s|camelcase s s|kebabcase s s|swapcase s s
regexMatch rs b|mustRegexMatch rs b|regexFindAll rsi l|mustRegexFindAll rsi l|regexFind rs s|regexReplaceAll rss s|mustRegexReplaceAll rss s
regexReplaceAllLiteral rss s|regexSplit rsi l|mustRegexSplit rsi l|regexQuoteMeta s s|splitList ss l|split ss d|splitn sis d
sortAlpha l l|join sl s|atoi s i|int a i|int64 a i|float64 a f|toDecimal a i|toString a s|toStrings a l|toPrettyJson a s
add a* i|add1 a i|sub aa i|mul a* i|div aa i|mod aa i|max a* i|min a* i|addf a* f|add1f a f|subf a* f|divf a* f|mulf a* f|maxf a* f
minf a* f|ceil a f|floor a f|round ai f|until i l|untilStep iii l|seq i* s|len a i|default aa a|empty a b|coalesce a* a|all a* b|any a* b
ternary aab a|fromJson j d|fromJsonArray j l|mustFromJson j a|toJson a j|mustToJson a j|mustToPrettyJson a j|toRawJson a j|mustToRawJson a j
fromYaml y d|fromYamlArray y l|toYaml a y|mustToYaml a y|toYamlPretty a y|fromToml t d|toToml d t|list a* l|dict sa d|get ds a|hasKey ds b
pluck sd l|dig ssad a|pick ds* d|omit ds* d|merge dd d|mustMerge dd d|mergeOverwrite dd d|mustMergeOverwrite dd d|deepCopy a a|mustDeepCopy a a
first l a|mustFirst l a|rest l l|mustRest l l|last l a|mustLast l a|initial l l|mustInitial l l|append la l|mustAppend la l|prepend la l
mustPrepend la l|concat l* l|reverse l l|mustReverse l l|uniq l l|mustUniq l l|without la* l|mustWithout la* l|has al b|mustHas al b
compact l l|mustCompact l l|slice lii l|mustSlice lii l|chunk il l|mustChunk il l|index ai a|index ds a|index aa a|typeOf a s|typeIs sa b|typeIsLike sa b|kindOf a s
kindIs sa b|deepEqual aa b|b64enc s s|b64dec s s|b32enc s s|b32dec s s|sha1sum s s|sha256sum s s|sha512sum s s|adler32sum s s
semver v e|semverCompare cv b|base p p|dir p p|clean p p|ext p p|isAbs p b|osBase p p|osDir p p|osClean p p|osExt p p|osIsAbs p b
urlParse u d|urlJoin d u|print a* s|println a* s|printf ma* s|html a* s|js a* s|urlquery a* s|eq aa b|ne aa b|lt aa b|le aa b|gt aa b|ge aa b
eq sss b|and a* a|or a* a|not a b|duration a s|durationRound a s|htmlDate w s|htmlDateInZone wz s|date ow s|dateInZone owz s|date_in_zone owz s
dateModify nw w|mustDateModify nw w|toDate oh w|mustToDate oh w|unixEpoch w s|tuple a* l|set dsa d|unset ds d|sortAlpha a l|toDate oo w
include sa s|tpl sa s|required sa a|fail s s|slice siii s|slice la* l|len s i|len d i|join sa s
`
  .trim()
  .split(/[|\n]/)
  .map((line) => line.split(' ') as [string, string, string]);

const byAnswer = new Map<string, Signature[]>();
for (const signature of signatures) {
  const [, , result] = signature;
  for (const kind of new Set([
    result,
    'a',
    ...(result === 'i' ? ['f'] : []),
    ...('jytpu'.includes(result) ? ['s'] : []),
  ])) {
    byAnswer.set(kind, [...(byAnswer.get(kind) ?? []), signature]);
  }
}

/** Fields of the root by the kind of their values. */
const fields: Readonly<Record<string, readonly string[]>> = {
  s: [
    '.Values.s',
    '.Values.e',
    '.Chart.Name',
    '.Capabilities.KubeVersion.Minor',
    '(.Files.Get "f.txt")',
    '.Template.Name',
  ],
  i: ['.Release.Revision'],
  f: ['.Values.i', '.Values.f', '.Values.big'],
  b: ['.Values.b', '.Release.IsInstall'],
  l: ['.Values.l', '.Values.lm', '.Values.el', '(.Files.Lines "f.txt")'],
  d: ['.Values.m', '.Values.m.c', '.Values.em', '.Values'],
  a: ['.Values.nul', '.Values.none', 'nil'],
};

const integers = [
  ...wordList`
    0 1 2 3 -1 -2 7 10 100 0x1F 'a' 1e3 -0 9223372036854775807 -9223372036854775808
    2147483648 0b11 0o7 1_000 9007199254740993
  `,
  ...['(int 3)', '(int64 2)', '(len "abc")'],
];
const floats = [
  ...wordList`
    0.0 1.5 -2.5 3.0 1e21 1e20 1e-7 0.1 1e308 5e-324 -0.0 1.0e6 123456789.125 0x1p4
    1e100 2.5e-3 100000000000000000000.0
  `,
  ...['(float64 "NaN")', '(float64 "inf")', '(divf 1 3)', '(mulf 1e300 1e300)', '(float64 "-inf")'],
];
const formats = [
  ...wordList`
    %s %d %v %+v %#v %T %q %x %X %o %b %c %U %e %E %f %g %G %t %p %% %! %z %y
    %5d %-5d| %05d %+d %.3f %8.3f %-8s| %.2s %*d %[2]d %[1]s %#x %#q %+q %O %#o %6.2f%%
    %[5]d %[x]d %.*f %#U %+.3e %#g %06.2f %s %[2]*[1]d %w %10q %-10q| %0-5d %!d %
  `,
  ...['% d', '% x', '%x %X', '%v %v', '% +d'],
];

type Make = (dice: Dice, depth: number) => string;
const makers: Readonly<Record<string, Make>> = {
  s: (dice) => quoted(word(dice)),
  i: (dice) => dice.pick(integers),
  f: (dice) => dice.pick([...floats, ...integers]),
  b: (dice) => dice.pick(['true', 'false']),
  l: (dice, depth) => `(list ${dice.list(0, 4, () => argument(dice, 'a', depth - 1)).join(' ')})`,
  d: (dice, depth) =>
    `(dict ${dice.list(0, 3, () => `${quoted(dice.chance(0.5) ? dice.pick(['a', 'b', 'c']) : word(dice))} ${argument(dice, 'a', depth - 1)}`).join(' ')})`,
  a: (dice, depth) => argument(dice, dice.pick([...'ssiifbldwau']), depth, true),
  w: (dice) => `(toDate ${quoted('2006-01-02T15:04:05Z07:00')} ${quoted(dateText(dice))})`,
  h: (dice) => quoted(dateText(dice)),
  o: (dice) => quoted(layoutText(dice)),
  r: (dice) => quoted(regexpText(dice)),
  v: (dice) => quoted(versionText(dice)),
  c: (dice) => quoted(constraintText(dice)),
  p: (dice) => quoted(dice.list(0, 5, () => dice.pick(['a', '/', '..', '.', '//', 'b.c', '.d', '\\', 'é'])).join('')),
  u: (dice) => quoted(urlText(dice)),
  z: (dice) => quoted(dice.pick(zones)),
  n: (dice) => quoted(durationText(dice)),
  m: (dice) => quoted(dice.list(1, 3, () => (dice.chance(0.7) ? dice.pick(formats) : formatText(dice))).join(' ')),
  y: (dice) => quoted(`${dice.pick(['a: ', '- ', '', '{k: ', '"x": '])}${word(dice)}`),
  j: (dice) => quoted(dice.pick(['{"a": %}', '[%]', '%', '{"a":1,"b":[%]}', '"%"']).replace('%', () => word(dice))),
  t: (dice) => quoted(`${dice.pick(['a', 'a.b', '"a b"', '[t]\nx', '[[t]]\nx'])} = ${word(dice)}`),
};

function formatText(dice: Dice): string {
  const flags = dice.list(0, 2, () => dice.pick([...'+-# 0'])).join('');
  const width = dice.chance(0.3) ? dice.pick(['3', '12', '*', '[1]*', '020']) : '';
  const precision = dice.chance(0.3) ? dice.pick(['.', '.0', '.2', '.*', '.12']) : '';
  const place = dice.chance(0.15) ? dice.pick(['[1]', '[2]', '[0]', '[9]', '[', '[]', '[-1]']) : '';
  return `%${flags}${width}${precision}${place}${dice.pick([...'vTtbcdoOqxXUeEfFgGspwyz!ikéh'])}`;
}

function urlText(dice: Dice): string {
  const part = (values: readonly string[]): string => (dice.chance(0.8) ? dice.pick(values) : text(dice, 5));
  return [
    part(['http:', 'https:', '', 'mailto:', 'a+b:', '1:', 'HTTP:']),
    part(['//', '', '/', '///']),
    part(['', 'u@', 'u:p@', ':@', 'u%40:p%zz@']),
    part(['h', 'example.com', '[::1]', '[fe80::1%25en0]', '1.2.3.4', 'h:80', 'h:', 'h:x', '', 'é.de']),
    part(['', '/', '/a/b', '/a%2Fb', '/%zz', '/a b', '/é']),
    part(['', '?', '?a=b', '?a=b&c', '?%']),
    part(['', '#', '#f', '#%41', '#a#b']),
  ].join('');
}

const methods = [
  ...wordList`
    Year Month Day Hour Unix UnixNano Weekday YearDay String UTC IsZero Zone Clock Date ISOWeek Location Local
    Nanosecond UnixMilli IsDST GoString ZoneBounds MarshalText MarshalJSON Nope
    Location.String Month.String Weekday.String UTC.Zone
  `,
  ...['Format "15:04"', 'AppendFormat nil "15"', 'AddDate 1 2 3', 'Equal .', 'Before .', 'Round 1', 'Sub .'],
  ...['Truncate 1000000000', 'Add 1000000000', 'In .Location'],
];

const versionMethods = wordList`
  Major Minor Patch Prerelease Metadata Original String IncMajor IncMinor IncPatch Nope MarshalText
`;

/** Generates an argument of a kind: a literal, a field, or a call that returns one. */
function argument(dice: Dice, kind: string, depth: number, isAny = false): string {
  if (depth <= 0 && kind === 'l') return '(list 1 "a")';
  if (depth <= 0 && kind === 'd') return '(dict "a" 1)';
  if (depth <= 0) return kind === 'a' ? quoted(dice.pick(scalars)) : makers[kind]!(dice, 0);
  const roll = dice.next();
  if (roll < 0.06 && !isAny) return argument(dice, 'a', depth - 1);
  if (roll < 0.14)
    return dice.pick(kind === 'a' ? Object.values(fields).flat() : [...(fields[kind] ?? []), '.Values.none']);
  if (roll < 0.45 && byAnswer.has(kind)) return `(${call(dice, kind, depth - 1)})`;
  if (roll < 0.47 && kind === 'a') return `(toDate "2006-01-02" ${quoted(dateText(dice))}).${dice.pick(methods)}`;
  return makers[kind]!(dice, depth);
}

/** Generates a call with a result of a kind. */
function call(dice: Dice, kind: string, depth: number): string {
  const [name, parameters] = dice.pick(byAnswer.get(kind)!);
  const kinds = [...parameters.replace('*', '')];
  if (parameters.endsWith('*'))
    for (let more = dice.below(3) - (dice.chance(0.1) ? 1 : 0); more > 0; more--) kinds.push(kinds.at(-1) as string);
  if (dice.chance(0.03)) kinds.pop();
  if (dice.chance(0.03)) kinds.push('a');
  return [
    name,
    ...kinds.map((each) =>
      (name === 'repeat' || name.startsWith('until')) && each === 'i'
        ? dice.pick(['0', '1', '3', '-1', '5', '12'])
        : argument(dice, each, depth),
    ),
  ].join(' ');
}

/** Generates a typical expression: a call, a pipeline or a method. */
export function expression(dice: Dice): string {
  const depth = 1 + dice.below(3);
  if (dice.chance(0.04)) return `(${call(dice, 'w', 1)}).${dice.pick(methods)}`;
  if (dice.chance(0.02)) return `(${call(dice, 'e', 1)}).${dice.pick(versionMethods)}`;
  const first = dice.chance(0.5) ? call(dice, 'a', depth) : argument(dice, 'a', depth);
  const pipes = dice.list(0, 2, () => {
    const [name, parameters] = dice.pick(signatures);
    return [name, ...[...parameters.replace('*', '')].slice(1).map((kind) => argument(dice, kind, 1))].join(' ');
  });
  return [first, ...pipes].join(' | ');
}

const growing = /\b(until|untilStep|seq|repeat|indent|nindent|wrap|wrapWith)\b/;
const counting = /unix|Unix|adler32sum|mulf?\b|\.Values\.big|\b(inf|NaN)\b|divf/;

/** Returns a text without large arguments for functions that would never finish with them. */
export function bounded(template: string): string {
  if (!growing.test(template)) return template;
  if (counting.test(template)) return '{{ 1 }}';
  return template
    .replace(/\d{4,}/g, '12')
    .replace(/[eEpP][+-]?\d{2,}/g, 'e1')
    .replace(/0x[0-9a-fA-F]{3,}/g, '0x1F');
}

/** Generates a template with one expression. */
export function drawExpression(dice: Dice): string {
  const value = expression(dice);
  return bounded(
    dice.chance(0.75)
      ? `{{ ${value} }}`
      : `{{ ${value} | ${dice.pick(['toJson', 'toYaml', 'quote', 'printf "%#v"', 'printf "%T %v"', 'toToml'])} }}`,
  );
}

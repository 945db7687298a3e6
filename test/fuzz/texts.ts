// Generates YAML, JSON and TOML: valid texts, texts with a few changed characters, and values to write.

import { type Dice, wordList } from '../support/dice.ts';
import { mutated, quoted, text, word } from './words.ts';

/** Generates a YAML scalar in a random style. */
function yamlScalar(dice: Dice, indent: string): string {
  const value = word(dice);
  return dice.pick([
    () => value,
    () => value,
    () => `"${value}"`,
    () => `'${value}'`,
    () => JSON.stringify(value),
    () =>
      `${dice.pick(['!!str', '!!int', '!!float', '!!binary', '!!null', '!!bool', '!x', '!', '!!timestamp', '!!map', '!<tag:yaml.org,2002:str>', '!!merge'])} ${value}`,
    () => `&${dice.pick(['a', 'b'])} ${value}`,
    () => `*${dice.pick(['a', 'b', 'c'])}`,
    () =>
      `${dice.pick(['|', '>', '|-', '>-', '|+', '>+', '|2', '>1-', '|0', '| # c', '>x'])}\n${dice
        .list(
          0,
          3,
          () =>
            `${indent}${dice.pick(['  ', ' ', '', '   ', '\t'])}${dice.chance(0.8) ? word(dice).replaceAll('\n', ' ') : ''}`,
        )
        .join('\n')}`,
  ])();
}

function yamlFlow(dice: Dice, depth: number): string {
  if (depth <= 0) return dice.chance(0.5) ? dice.pick(['1', 'a', '"b"', "'c'", '~', '']) : word(dice);
  const gap = (): string => dice.pick([' ', '', '\n ', ' # c\n ']);
  const inner = dice.list(0, 3, () =>
    dice.chance(0.5) ? `${yamlFlow(dice, depth - 1)}:${gap()}${yamlFlow(dice, depth - 1)}` : yamlFlow(dice, depth - 1),
  );
  const [open, close] = dice.pick(['[]', '{}', '{}']) as unknown as [string, string];
  return `${open}${gap()}${inner.join(`,${gap()}`)}${dice.pick(['', '', ','])}${close}`;
}

function yamlBlock(dice: Dice, depth: number, indent: string): string {
  if (depth <= 0) return ` ${yamlScalar(dice, indent)}\n`;
  if (dice.chance(0.15)) return ` ${yamlFlow(dice, 2)}\n`;
  const deeper = indent + dice.pick(['  ', '  ', ' ', '    ', '']);
  const isList = dice.chance(0.35);
  const lines = dice.list(1, 3, () => {
    const inner = yamlBlock(dice, depth - 1 - dice.below(2), deeper);
    if (isList) return `${indent}-${inner}`;
    const key = dice.pick([
      () => dice.pick(['a', 'b', 'c', 'd']),
      () => dice.pick(['a', 'b', 'c', 'd']),
      () => yamlScalar(dice, indent).split('\n')[0] as string,
      () => '<<',
      () => '? a\n',
    ])();
    return `${indent}${key}:${inner}`;
  });
  const start = dice.pick(['\n', '\n', '\n', ' # c\n', ' &a\n', ' !!map\n']);
  return indent === '' ? lines.join('') : `${start}${lines.join('')}`;
}

/** Generates a YAML text. */
export function yamlText(dice: Dice): string {
  const body = dice.pick([
    () => yamlBlock(dice, 3, ''),
    () => yamlBlock(dice, 2, ''),
    () => yamlScalar(dice, ''),
    () => yamlFlow(dice, 3),
    () => text(dice, 16),
  ])();
  const framed = dice.pick([
    body,
    body,
    body,
    body,
    `---\n${body}`,
    `%YAML 1.1\n---\n${body}`,
    `${body}...\n`,
    `${body}---\nx: 1\n`,
    `# c\n${body}`,
    body.trimEnd(),
    body.replaceAll('\n', '\r\n'),
  ]);
  return dice.chance(0.35) ? mutated(dice, framed) : framed;
}

/** Generates a JSON text. */
export function jsonText(dice: Dice): string {
  const value = (depth: number): string => {
    const roll = depth <= 0 ? dice.next() * 0.7 : dice.next();
    if (roll < 0.25) return JSON.stringify(word(dice));
    if (roll < 0.5)
      return dice.pick(
        wordList`0 -0 1 1.5 1e3 1E400 -1e-7 true false null 18446744073709551616 9007199254740993 1.0 01 .5 1. NaN -`,
      );
    if (roll < 0.6)
      return `"${dice.list(0, 3, () => dice.pick(['\\u0041', '\\ud83d\\ude00', '\\ud83d', '\\n', '\\/', '\\x', '\\u00', 'é', '\t', '<', '\u2028', '\\u0000'])).join('')}"`;
    if (roll < 0.7) return word(dice);
    if (roll < 0.85) return `[${dice.list(0, 3, () => value(depth - 1)).join(dice.pick([',', ', ', ' ,\n', ',,']))}]`;
    return `{${dice.list(0, 3, () => `${dice.chance(0.9) ? JSON.stringify(dice.chance(0.6) ? dice.pick(['a', 'b', 'A']) : word(dice)) : word(dice)}${dice.pick([':', ': ', ' :'])}${value(depth - 1)}`).join(',')}}`;
  };
  const whole = `${dice.pick(['', '', ' ', '\n'])}${value(3)}${dice.pick(['', '', '', ' ', '\n', ' x', ',', '{}'])}`;
  return dice.chance(0.3) ? mutated(dice, whole) : whole;
}

const tomlValues = [
  ...wordList`
    1 -1 +1 0 -0 1_000 1__0 0x1F 0X1 0o7 0b1 1.5 1. .5 1e3 1e inf -inf +nan nan -nan true false True 01
    9223372036854775808
    1979-05-27 07:32:00 1979-05-27T07:32:00Z 1979-05-27T07:32:00.999-07:00 1979-05-27t07:32:00z 1979-13-01 25:00:00
    1979-05-27T 07:32 1979-05-27T07:32Z
    "a" 'a' "\u00e9" "\x41" "\e" "\q" 'a "a """""" """a"""" ''''a''' "\U0001F600" "\ud800"
  `,
  '1979-05-27 07:32:00',
  '"""a\nb"""',
  "'''a\nb'''",
  '"""\\\n  a"""',
  '"a\nb"',
  '"""\n"""',
];

/** Generates a TOML text. */
export function tomlText(dice: Dice): string {
  const key = (): string =>
    dice
      .list(1, dice.chance(0.2) ? 3 : 1, () =>
        dice.pick(['a', 'b', 'c', 'd', 'a', 'b', '"a b"', "'q'", '1', '-', 'é', '""', '"\\n"', word(dice)]),
      )
      .join(dice.pick(['.', ' . ']));
  const value = (depth: number): string => {
    const roll = dice.next();
    if (depth <= 0 || roll < 0.6) return dice.chance(0.85) ? dice.pick(tomlValues) : word(dice);
    const gap = (): string => dice.pick(['', ' ', '\n', ' # c\n']);
    if (roll < 0.8)
      return `[${gap()}${dice.list(0, 3, () => value(depth - 1)).join(`${gap()},${gap()}`)}${dice.pick(['', ','])}${gap()}]`;
    return `{${dice.list(0, 3, () => `${key()} = ${value(depth - 1)}`).join(dice.pick([', ', ',', ',\n']))}${dice.pick(['', '', ','])}}`;
  };
  const line = (): string => {
    const roll = dice.next();
    if (roll < 0.65)
      return `${dice.pick(['', '', '  ', '\t'])}${key()}${dice.pick([' = ', '=', ' =', ' ', '== '])}${value(2)}${dice.pick(['', '', ' # c', ' x', '\r', ' #\u0007'])}`;
    if (roll < 0.8) return `[${key()}]${dice.pick(['', ' # c', ' x'])}`;
    if (roll < 0.92) return `[[${key()}]]`;
    return dice.pick(['', '# c', '#\u0000', word(dice)]);
  };
  const whole = dice.list(1, 5, line).join(dice.pick(['\n', '\n', '\r\n', '\r']));
  return dice.chance(0.25) ? mutated(dice, whole) : whole;
}

/** Generates a JSON value to write. */
function anyValue(dice: Dice, depth: number): unknown {
  const roll = dice.next();
  if (depth <= 0 || roll < 0.45) return word(dice);
  if (roll < 0.6)
    return dice.pick([0, 1, -1, 1.5, 1e21, 1e-7, 123456789012, true, false, null, 0.1, 1e20, -0.5, 100000, 1e6]);
  if (roll < 0.78) return dice.list(0, 3, () => anyValue(dice, depth - 1));
  return Object.fromEntries(
    dice.list(0, 3, () => [
      dice.chance(0.5) ? dice.pick(['a', 'b', 'c1', 'c10', 'c2']) : word(dice),
      anyValue(dice, depth - 1),
    ]),
  );
}

// In Helm, a byte order mark within a text may hide the next character, depending on the buffer of its reader.
const isComparable = (template: string): boolean => !/\p{Cs}/u.test(template) && !/[^"]\\ufeff/.test(template);

/** Generates a template that reads a text, or writes a value and reads it again. */
export function drawText(dice: Dice): string {
  const drawn = dice.pick([
    () => `{{ fromYaml ${quoted(yamlText(dice))} | toJson }}`,
    () => `{{ fromYaml ${quoted(yamlText(dice))} | toYaml }}`,
    () => `{{ fromYaml ${quoted(`a: ${yamlText(dice)}`)} | toJson }}`,
    () => `{{ fromYamlArray ${quoted(yamlText(dice))} | toJson }}`,
    () => `{{ fromJson ${quoted(jsonText(dice))} | toJson }}`,
    () => `{{ fromJson ${quoted(jsonText(dice))} | toYaml }}`,
    () => `{{ fromJsonArray ${quoted(jsonText(dice))} | toJson }}`,
    () =>
      dice.chance(0.1)
        ? `{{ mustFromJson ${quoted(jsonText(dice))} | toJson }}`
        : `{{ fromJson ${quoted(jsonText(dice))} | toToml }}`,
    () => `{{ fromToml ${quoted(tomlText(dice))} | toJson }}`,
    () => `{{ fromToml ${quoted(tomlText(dice))} | toJson }}`,
    () => `{{ fromToml ${quoted(tomlText(dice))} | toToml }}`,
    () => `{{ fromJsonArray ${quoted(JSON.stringify([anyValue(dice, 3)]))} | toYaml }}`,
    () =>
      `{{ fromJson ${quoted(JSON.stringify({ a: anyValue(dice, 3) }))} | ${dice.pick(['toYaml', 'toToml', 'toPrettyJson', 'toRawJson', 'toYamlPretty', 'toYaml | fromYaml | toJson', 'toToml | fromToml | toJson'])} }}`,
  ])();
  return isComparable(drawn) ? drawn : '';
}

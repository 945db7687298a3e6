import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { plainPattern } from '../../../../render/go/regexp/plain.ts';

const parts = [
  ...['a', 'b', '-', '_', '.', '\\.', '\\-', '\\w', '\\d', '\\s', '\\W', '\\S', '\\D', '[a-c]', '[^a-z0-9]', '[-a]'],
  ...['[a-]', '[a\\-c]', '[\\w.-]', '[^\\s]', '[\\d-]', '[^-A-Za-z0-9_.]', '[--a]', '[a-\\w]', '[ -~]', '[+--]', '[.]'],
  ...['\\/', '/', ' ', '+', '[0-9a-fA-F]', '[A-z]', '[\\.]', '[a-c-e]', '[^\\d.-]'],
];
const text = ['aab-bc_c.-', ' 09AZ\n\ta/é😀\u2028\\^]$+*b.a-', '\udc80b\udcffa--..__00 1aAfF'].join('');

function matchesOf(program: RE2JS): (string | null)[] {
  const matches: (string | null)[] = [];
  const matcher = program.matcher(text);
  while (matcher.find()) matches.push(matcher.group());
  return matches;
}

function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

test('a plain pattern has the same matches in both engines', () => {
  let count = 0;
  for (const first of parts) {
    for (const second of ['', ...parts]) {
      const [plain, program] = [plainPattern(first + second)?.regexp, compiled(first + second)];
      if (plain === undefined || program === undefined) continue;
      deepEqual(text.match(plain) ?? [], matchesOf(program), first + second);
      count++;
    }
  }
  ok(count > 800, `${count} patterns`);
});

test('patterns that may match the empty string, backtrack or differ in meaning are not plain', () => {
  const others = [
    '',
    '+',
    'a*',
    'a?',
    'a+a',
    '\\w+(a)',
    'a++',
    '(a)+',
    '(a',
    'a)',
    '()',
    '(?:a)',
    '^',
    'a|b',
    '(?i)a',
    'a{2}',
    '[[:alpha:]]',
    '\\b',
  ];
  for (const pattern of [...others, '\\pL', '[c-a]', '[]a]', '[^^]', 'é', '[é]', '\\x41', '\\Qa\\E', '[a-z&&b]', '\\'])
    equal(plainPattern(pattern), undefined, pattern);
});

test('the same holds with groups, repetitions and anchors', () => {
  let count = 0;
  for (const first of parts) {
    for (const second of parts) {
      for (const pattern of [
        `(${first}+)${second}`,
        `^(${first})+${second}`,
        `${first}+(${second}+)$`,
        `(${first}(${second}+))`,
      ]) {
        const [plain, program] = [plainPattern(pattern), compiled(pattern)];
        if (plain === undefined || program === undefined) continue;
        const matches: (readonly (string | null)[])[] = [];
        const matcher = program.matcher(text);
        while (matcher.find()) matches.push([0, 1, 2].slice(0, plain.groups + 1).map((group) => matcher.group(group)));
        deepEqual(
          [...text.matchAll(plain.regexp)].map((match) => [...match]),
          matches,
          pattern,
        );
        count++;
      }
    }
  }
  ok(count > 1500, `${count} patterns`);
});

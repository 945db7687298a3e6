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

/** Returns the matches of a program, each with its groups. */
function matchesOf(program: RE2JS, groups: number): (string | null)[][] {
  const matches: (string | null)[][] = [];
  const matcher = program.matcher(text);
  while (matcher.find()) matches.push(Array.from({ length: groups + 1 }, (_, group) => matcher.group(group)));
  return matches;
}

function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

test('a plain pattern has the same matches in both engines, with groups, repetitions and anchors too', () => {
  let count = 0;
  for (const first of parts) {
    for (const second of ['', ...parts]) {
      const grouped = [
        `(${first}+)${second}`,
        `^(${first})+${second}`,
        `${first}+(${second}+)$`,
        `(${first}(${second}+))`,
      ];
      for (const pattern of [first + second, ...(second === '' ? [] : grouped)]) {
        const [plain, program] = [plainPattern(pattern), compiled(pattern)];
        if (plain === undefined || program === undefined) continue;
        const matches = [...text.matchAll(plain.regexp)].map((match) => [...match]);
        deepEqual(matches, matchesOf(program, plain.groups), pattern);
        count++;
      }
    }
  }
  ok(count > 2300, `${count} patterns`);
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

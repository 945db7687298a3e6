// Every function over long texts, long lists, large maps, deep values and many arguments.

import { signatures } from '../expressions.ts';
import { type Grown, type GrowthCase, template } from './case.ts';

// Each kind of argument at its largest, as what is declared before and what stands in the call.
interface Large {
  readonly name: string;
  readonly size: number;
  readonly before: (size: number) => string;
}

const repeated = (name: string, unit: string, size = 1_000_000): Large => ({
  name,
  size: Math.floor(size / unit.length),
  before: (count) => `{{ $x := repeat ${count} ${JSON.stringify(unit)} }}`,
});

const texts: readonly Large[] = [
  ...['a', ' ', '\n', '.', '-', '/', '1', '"', '<', '\\', '%', ',', ':', '$', '0', 'é', '&', '#', '\t', '~', '^', '='],
  ...['[', '{', '(', 'aB', 'a ', '- ', 'a\n', 'a,', 'a.', '%20', '%d', '[]', '{}', '||', 'a/', '../', '1.', '1h', '*a'],
].map((unit) => repeated(`text of ${JSON.stringify(unit)}`, unit));

const documents: Readonly<Record<string, readonly Large[]>> = {
  y: [
    repeated('YAML items', '- a\n'),
    repeated('YAML lists', '- - a\n'),
    repeated('YAML plain words', 'a b '),
    repeated('YAML flow', 'a, '),
    repeated('YAML comments', '# a\n'),
    repeated('YAML anchors', '- &a b\n'),
    repeated('YAML texts', "- 'a''b'\n"),
    repeated('YAML blocks', '- |\n  a\n'),
    repeated('YAML documents', 'a: 1\n---\n'),
    repeated('YAML tags', '- !!str a\n'),
    repeated('YAML numbers', '- 1.5\n'),
    {
      name: 'YAML keys',
      size: 100_000,
      before: (n) =>
        `{{ $x := "" }}{{ range $i := until ${n} }}{{ $x = print "k" $i ": 1\\n" | append (list $x) | last }}{{ end }}`,
    },
  ],
  j: [repeated('JSON items', '1,'), repeated('JSON texts', '"a",'), repeated('JSON escapes', '\\n')],
  t: [
    repeated('TOML tables', '[[a]]\n'),
    repeated('TOML dots', 'a.', 40_000),
    { name: 'TOML key of dots', size: 20_000, before: (n) => `{{ $x := print (repeat ${n} "a.") "a = 1" }}` },
    {
      name: 'TOML nested lists',
      size: 20_000,
      before: (n) => `{{ $x := print "a = " (repeat ${n} "[") (repeat ${n} "]") }}`,
    },
    repeated('TOML list', 'a = [1]\n'),
    repeated('TOML comments', '#a\n'),
  ],
};

const lists: readonly Large[] = [
  { name: 'numbers', size: 200_000, before: (n) => `{{ $x := until ${n} }}` },
  { name: 'texts', size: 200_000, before: (n) => `{{ $x := splitList "," (repeat ${n} "a,") }}` },
  {
    name: 'equal lists',
    size: 50_000,
    before: (n) =>
      `{{ $x := list }}{{ range until 1000 }}{{ $x = append $x (list 1) }}{{ end }}{{ $y := $x }}{{ range until ${Math.floor(n / 1000)} }}{{ $x = concat $x $y }}{{ end }}`,
  },
  {
    name: 'deep list',
    size: 20_000,
    before: (n) => `{{ $x := list 1 }}{{ range until ${n} }}{{ $x = list $x }}{{ end }}`,
  },
];

const maps: readonly Large[] = [
  {
    name: 'keys',
    size: 50_000,
    before: (n) => `{{ $x := dict }}{{ range $i := until ${n} }}{{ $_ := set $x (print "k" $i) $i }}{{ end }}`,
  },
  {
    name: 'deep map',
    size: 20_000,
    before: (n) => `{{ $x := dict "a" 1 }}{{ range until ${n} }}{{ $x = dict "a" $x }}{{ end }}`,
  },
];

const small: Readonly<Record<string, string>> = {
  ...{
    s: '"a"',
    i: '2',
    f: '1.5',
    b: 'true',
    l: '(list 1 2)',
    d: '(dict "a" 1)',
    a: '"a"',
    w: '(toDate "2006" "2020")',
  },
  ...{
    o: '"2006"',
    r: '"a"',
    v: '"1.2.3"',
    c: '">1"',
    p: '"a/b"',
    u: '"http://a/b"',
    z: '"UTC"',
    n: '"1h"',
    m: '"%v"',
  },
  ...{ y: '"a: 1"', j: '"{}"', t: '"a = 1"' },
};

function largeOf(kind: string): readonly Large[] {
  if ('ifbwz'.includes(kind)) return [];
  if (kind === 'l') return lists;
  if (kind === 'd') return maps;
  if (kind === 'a') return [...lists, ...maps, texts[0] as Large];
  return [...texts, ...(documents[kind] ?? [])];
}

// A count asks for more than it gets: what is made of it is what grows.
function callsOf(name: string, wants: string): GrowthCase[] {
  const kinds = [...wants.replace('*', '')];
  const cases = kinds.flatMap((kind, at) =>
    largeOf(kind).map(({ name: what, size, before }): GrowthCase => {
      const call = `${name} ${kinds.map((each, place) => (place === at ? '$x' : small[each])).join(' ')}`;
      return { name: `${call}: ${what}`, size, make: (n) => template(`${before(n)}{{ $r := ${call} }}`) };
    }),
  );
  const [first] = kinds;
  const both = kinds.every((kind) => kind === first) && kinds.length > 1 ? largeOf(first as string).slice(0, 3) : [];
  for (const { name: what, size, before } of both) {
    const call = `${name} ${kinds.map((_, place) => (place === 0 && first === 's' ? '(print $x "b")' : '$x')).join(' ')}`;
    cases.push({ name: `${call}: ${what}`, size, make: (n) => template(`${before(n)}{{ $r := ${call} }}`) });
  }
  if (wants.endsWith('*')) {
    const one = small[kinds.at(-1) as string];
    const start = kinds
      .slice(0, -1)
      .map((kind) => small[kind])
      .join(' ');
    const make = (n: number): Grown => template(`{{ $r := ${name} ${start}${` ${one}`.repeat(n)} }}`);
    cases.push({ name: `${name} of many arguments`, size: 50_000, make });
  }
  return cases;
}

/** The names that stand for another function, or that stop every rendering. */
const notAsked = new Set(['fail', 'include', 'repeat', 'until', 'untilStep', 'seq']);

/** Calls of every function, each argument in turn at its largest. */
export const calls: readonly GrowthCase[] = signatures
  .filter(([name]) => !notAsked.has(name))
  .flatMap(([name, wants]) => callsOf(name, wants));

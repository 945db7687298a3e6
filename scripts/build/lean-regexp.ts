// An esbuild plugin: leaves out of a bundle what the package of regular expressions holds beyond Go's own (classes of characters
// that `render/go/regexp/regexp.ts` refuses, sets of patterns), and makes its tables of characters small: they were a tenth of
// what a page loads. What the package has no setting for is Go's, too: the Unicode of its tables, 15.0, and how large a pattern may be.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { classesUnknownToGo } from '../../render/go/regexp/classes.ts';
import { isNewer } from '../../render/go/unicode.ts';

const reckoned = fileURLToPath(new URL('unicode-runs.ts', import.meta.url));
const made = new Map<string, Promise<string>>();

/** Returns the plugin. */
export function leanRegexp(): Plugin {
  return {
    name: 'lean-regexp',
    setup(build) {
      build.onLoad({ filter: /[\\/]re2js[\\/]build[\\/]index\.js$/ }, async ({ path }) => {
        const contents = made.get(path) ?? readFile(path, 'utf8').then(lean);
        made.set(path, contents);
        return { contents: await contents };
      });
    },
  };
}

async function lean(code: string): Promise<string> {
  return pureClasses(withoutMembers(withLimitOfGo(await withSmallTables(code))));
}

const limit = /(\tstatic MAX_SIZE = )\d+;/;
// Mirrors: Go, regexp/syntax/parse.go, `maxSize`, 1.23: 128 MiB of instructions, 40 bytes each.
const mostInstructions = Math.floor(2 ** 27 / 40);

// The package counts 96 bytes for each instruction, so it refuses what Go takes, and before Go's other reasons to refuse.
function withLimitOfGo(code: string): string {
  if (!limit.test(code)) throw new Error('re2js limits a pattern in another way');
  return code.replace(limit, `$1${mostInstructions};`);
}

/** What of the package's own doors is used, by `render/go/regexp/regexp.ts` and by one another. */
const members: Readonly<Record<string, string>> = {
  RE2JS: 'constructor compile re2 matcher test namedGroups',
  Matcher: 'constructor reset resetMatcherInput start end group groupCount loadGroup find genMatch substring',
  RE2: 'constructor compileImpl dfa matchPrefixComplete createLookbehindState executeEngine numberOfCapturingGroups numberOfInstructions get put doExecuteNFA match matchMachineInput',
};

// A static `match` beside the one that is used only calls it.
function withoutMembers(code: string): string {
  let lean = code;
  for (const [name, list] of Object.entries(members)) {
    const used = new Set(list.split(' '));
    const found = new Set<string>();
    const start = lean.indexOf(`\nvar ${name} = class ${name} {`);
    const end = lean.indexOf('\n};', start);
    const body = lean
      .slice(start, end)
      .replace(/^\t(?:static |get |\*)?([\w[\].]+)\(.*\) \{[\s\S]*?^\t\}\n/gm, (member, own: string) => {
        if (!used.has(own)) return '';
        found.add(own);
        return member;
      });
    if (start < 0 || found.size < used.size) throw new Error(`re2js has another ${name}`);
    lean = lean.slice(0, start) + body + lean.slice(end);
  }
  return lean;
}

// A class with static fields is kept by bundlers although nobody uses it, unless it is marked as free of effects.
function pureClasses(code: string): string {
  return code.replace(/^(var \w+ = )(class[\s\S]*?^\});/gm, '$1/* @__PURE__ */ (() => $2)();');
}

/** A table of the package: ranges of characters. */
interface Table {
  readonly length: number;
  getLo(index: number): number;
  getHi(index: number): number;
  getStride(index: number): number;
}

/** Tables by the names of classes. */
interface Tables {
  readonly initializer: Readonly<Record<string, unknown>>;
  get(name: string): Table;
}

const kinds = ['CATEGORIES', 'SCRIPTS', 'FOLD_CATEGORIES', 'FOLD_SCRIPT'] as const;
type UnicodeTables = { readonly Print: Table; readonly CASE_ORBIT: ReadonlyMap<number, number> } & Readonly<
  Record<(typeof kinds)[number], Tables>
>;

const highest = 0x10ffff;
const region = /^var UnicodeTables = class \{[\s\S]*?^\};$/m;
const orbit = /^\tstatic _CASE_ORBIT = null;\n\tstatic get CASE_ORBIT\(\) \{[\s\S]*?^\t\}$/m;

/** Returns the code with runs of categories and scripts in place of a table for each class, which hold the same characters but the newest. */
async function withSmallTables(code: string): Promise<string> {
  const theirs = await tablesOf(code);
  const cases = orbit.exec(code)?.[0];
  if (cases === undefined) throw new Error('re2js keeps its tables in another form');
  const ours = code.replace(region, () => smallTables(theirs, cases));
  const small = `import { foldsOf, rangesOf, runsOf, runsWithin } from ${JSON.stringify(reckoned)};\n${ours}`;
  proveSame(theirs, await tablesOf(small));
  return small;
}

/** Runs the code as a module and returns its tables, which it does not export. */
async function tablesOf(code: string): Promise<UnicodeTables> {
  const { build } = await import('esbuild');
  const stdin = { contents: `${code}\nexport { UnicodeTables };`, resolveDir: '.' };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'silent' });
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  return (module as { UnicodeTables: UnicodeTables }).UnicodeTables;
}

function charactersOf(table: Table): number[] {
  const characters: number[] = [];
  for (let i = 0; i < table.length; i++) {
    for (let char = table.getLo(i); char <= table.getHi(i); char += table.getStride(i)) {
      if (!newest.has(char)) characters.push(char);
    }
  }
  return characters;
}

// What Go's Unicode has not. None of it shares its cases with more than one other character.
const newest: ReadonlySet<number> = new Set(
  Array.from({ length: highest + 1 }, (_, char) => char).filter((char) => isNewer(String.fromCodePoint(char))),
);

function casesOf({ CASE_ORBIT: cases }: UnicodeTables): (readonly [char: number, other: number])[] {
  return [...cases].filter((pair) => !pair.some((char) => newest.has(char))).sort(([a], [b]) => a - b);
}

function namesOf({ initializer }: Tables): string[] {
  return Object.keys(initializer).filter((name) => !classesUnknownToGo.has(name));
}

// What Unicode has put into another category since 15.0. Checked against Go for every code point, as the newest are.
const moved: ReadonlyMap<number, string> = new Map([
  [0x295, 'Ll'],
  [0x1171e, 'Mn'],
]);

/** Returns the kind of each character: the number of the class that holds it, from 1 on. */
function kindsOf(tables: Tables, names: readonly string[]): Uint8Array {
  const all = new Uint8Array(highest + 1);
  for (const [i, name] of names.entries()) for (const char of charactersOf(tables.get(name))) all[char] = i + 1;
  return all;
}

function smallTables(tables: UnicodeTables, orbits: string): string {
  const cases = orbits.replace(/decodeOrbit\(".*?"\)/, () => `decodeOrbit("${encodedCases(casesOf(tables))}")`);
  const categories = namesOf(tables.CATEGORIES).filter((name) => name.length === 2);
  const scripts = namesOf(tables.SCRIPTS);
  const categoryOf = kindsOf(tables.CATEGORIES, categories);
  for (const [char, name] of moved) categoryOf[char] = categories.indexOf(name) + 1;
  const assigned = kindsOf(tables.SCRIPTS, scripts).filter((_, char) => categoryOf[char] !== 0);
  const folding = (name: (typeof kinds)[number]): string => JSON.stringify(namesOf(tables[name]).join(' '));
  return `var UnicodeTables = class UnicodeTables {
${cases}
	static CATEGORY_NAMES = ${JSON.stringify(categories.join(' '))}.split(' ');
	static SCRIPT_NAMES = ${JSON.stringify(scripts.join(' '))}.split(' ');
	static get categoryRuns() {
		return this._categoryRuns ??= runsOf(decodeVLQ("${encoded(categoryOf)}"));
	}
	static get scriptRuns() {
		return this._scriptRuns ??= runsWithin(this.categoryRuns, decodeVLQ("${encoded(assigned)}"));
	}
	// A letter alone names all categories that begin with it; those without one (Cn) are among the others, C.
	static category(name) {
		const first = name[0];
		const tables = UnicodeTables;
		return new UnicodeRangeTable(rangesOf(tables.categoryRuns, (kind) => kind === 0 ? name === "C" || name === "Cn" : name[1] ? tables.CATEGORY_NAMES[kind - 1] === name : tables.CATEGORY_NAMES[kind - 1][0] === first));
	}
	static folds(table) {
		const letters = Array.from({ length: 58 }, (_, i) => i + 65);
		return new UnicodeRangeTable(foldsOf(new Set([...UnicodeTables.CASE_ORBIT.keys(), ...letters]), (char) => Unicode.is(table, char), Unicode.simpleFold));
	}
	static lazy(names, make) {
		return new LazyMap(Object.fromEntries(names.map((name) => [name, () => make(name)])));
	}
	static get Print() {
		return this._Print ??= new UnicodeRangeTable(rangesOf(this.categoryRuns, (kind) => kind > 0 && (!/[CZ]/.test(this.CATEGORY_NAMES[kind - 1][0]))));
	}
	static CATEGORIES = UnicodeTables.lazy([..."CLMNPSZ", "Cn", ...UnicodeTables.CATEGORY_NAMES], UnicodeTables.category);
	static SCRIPTS = UnicodeTables.lazy(UnicodeTables.SCRIPT_NAMES, (name) => new UnicodeRangeTable(rangesOf(UnicodeTables.scriptRuns, (kind) => UnicodeTables.SCRIPT_NAMES[kind - 1] === name)));
	static FOLD_CATEGORIES = UnicodeTables.lazy(${folding('FOLD_CATEGORIES')}.split(' '), (name) => UnicodeTables.folds(UnicodeTables.CATEGORIES.get(name)));
	static FOLD_SCRIPT = UnicodeTables.lazy(${folding('FOLD_SCRIPT')}.split(' '), (name) => UnicodeTables.folds(UnicodeTables.SCRIPTS.get(name)));
};`;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

/** Returns the runs of kinds as the package writes numbers: five bits a digit, the lowest first. */
function encoded(all: Uint8Array): string {
  const numbers: number[] = [];
  for (let first = 0; first < all.length; ) {
    let end = first + 1;
    while (all[end] === all[first]) end++;
    numbers.push(all[first] as number, end - first - 1);
    first = end;
  }
  return numbers.map(encodedNumber).join('');
}

/** Returns pairs of cases as the package writes them: how far the first is from that before, and the other from it, its sign last. */
function encodedCases(pairs: ReturnType<typeof casesOf>): string {
  const numbers: number[] = [];
  let before = 0;
  for (const [char, other] of pairs) {
    const step = other - char;
    numbers.push(char - before, step < 0 ? -step * 2 - 1 : step * 2);
    before = char;
  }
  return numbers.map(encodedNumber).join('');
}

function encodedNumber(number: number): string {
  const rest = number >> 5;
  return rest === 0 ? (digits[number] as string) : digits[(number & 31) | 32] + encodedNumber(rest);
}

function proveSame(theirs: UnicodeTables, ours: UnicodeTables): void {
  const asText = (chars: readonly number[]): string =>
    chars
      .filter((char) => !moved.has(char))
      .sort((a, b) => a - b)
      .join();
  // What folds into one of the newest alone folds into nothing here. The cases of ASCII are in no table.
  const folding = new Set(casesOf(theirs).map(([char]) => char));
  const folds = (char: number): boolean => char < 128 || folding.has(char);
  if (casesOf(theirs).join() !== [...ours.CASE_ORBIT].join()) throw new Error('re2js has other cases');
  if (asText(charactersOf(theirs.Print)) !== asText(charactersOf(ours.Print)))
    throw new Error('re2js prints other characters');
  for (const kind of kinds) {
    const [names, own] = [namesOf(theirs[kind]).sort(), namesOf(ours[kind]).sort()];
    if (names.join() !== own.join()) throw new Error(`re2js knows other classes: ${names.join(' ')}`);
    for (const name of names) {
      const [all, kept] = [charactersOf(theirs[kind].get(name)), charactersOf(ours[kind].get(name))];
      const want = kind.startsWith('FOLD') ? all.filter(folds) : all;
      if (asText(want) !== asText(kept)) throw new Error(`re2js: ${kind} ${name}`);
    }
  }
}

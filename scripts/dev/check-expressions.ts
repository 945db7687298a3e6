// Checks that every regular expression of the product takes linear time: `npm run check`. Runs the attack string that recheck finds for each in
// this Node. Results are cached below node_modules.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ts from '@typescript/typescript6';
import { check } from 'recheck';
import { readSources } from './check-imports.ts';
import { cacheDirectory } from './tools/pinned-package.ts';

/** A regular expression in a source. */
export interface FoundExpression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the regular expressions of a source: literals, and calls of `RegExp` with a constant string. */
function expressionsOf(file: string, text: string): FoundExpression[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundExpression[] = [];
  const visit = (node: ts.Node): void => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = (node.arguments ?? []).map((argument) => constantText(argument, source));
      if (pattern !== undefined) found.push({ place, source: pattern, flags: flags ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// The value of a literal, a template of constants, or a top-level constant; undefined for any other expression.
function constantText(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => [constantText(expression, source), literal.text]);
    return parts.some(([value]) => value === undefined) ? undefined : [node.head.text, ...parts.flat()].join('');
  }
  if (!ts.isIdentifier(node)) return undefined;
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  const { initializer } = declarations.find(({ name }) => ts.isIdentifier(name) && name.text === node.text) ?? {};
  return initializer === undefined ? undefined : constantText(initializer, source);
}

const parameters = {
  // So that the result does not depend on other load.
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  randomSeed: 1,
} as const;

/** The time limit for an attack string. A quadratic expression takes more than a second. */
const limitMs = 100;

/** Returns the complexity of an expression for which an attack is slow; undefined if it takes linear time. */
export async function slowness(source: string, flags: string): Promise<string | undefined> {
  const found = await check(source, flags, parameters);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `unknown (${found.error.kind})`;
  const { summary, type } = found.complexity;
  if (type === 'exponential') return summary;
  // The engine of recheck counts steps that Node's engine does not take.
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
  const start = performance.now();
  expression.test(found.attack.string);
  const took = performance.now() - start;
  return took < limitMs ? undefined : `${summary}, ${Math.round(took)} ms for ${found.attack.pattern}`;
}

async function run(): Promise<number> {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const sources = new Map<string, string>();
  for (const folder of ['render', 'emulator']) await readSources(root, folder, sources);
  const places = new Map<string, FoundExpression[]>();
  for (const [file, text] of sources) {
    for (const found of expressionsOf(file, text)) {
      const key = `/${found.source}/${found.flags}`;
      places.set(key, [...(places.get(key) ?? []), found]);
    }
  }
  const cacheFile = join(cacheDirectory, 'expressions.json');
  const safe = new Set<string>(readCache(cacheFile));
  const pending = [...places].filter(([key]) => !safe.has(key));
  let slowCount = 0;
  const work = async (): Promise<void> => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [key, found] = next;
      const slow = await slowness(found[0]!.source, found[0]!.flags);
      if (slow === undefined) safe.add(key);
      else slowCount++;
      if (slow !== undefined) console.error(`${found.map(({ place }) => place).join(', ')}: ${key} is slow: ${slow}`);
    }
  };
  await Promise.all([work(), work(), work()]);
  mkdirSync(cacheDirectory, { recursive: true });
  writeFileSync(cacheFile, JSON.stringify([...safe].filter((key) => places.has(key))));
  if (slowCount > 0)
    console.error(
      'hint: start a repetition only where no match precedes it, as in (?<!x)x+$, or make adjacent repetitions match different characters',
    );
  console.log(`expressions: ${places.size} in render and emulator, ${slowCount} slow`);
  return slowCount === 0 ? 0 : 1;
}

function readCache(file: string): string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    return [];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await run());

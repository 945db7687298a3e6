// Generates Orders of the fixture charts, Orders with unusual values in some places, and values that are not Orders. Rendering must not crash,
// errors must have a known code, and the manifest and both resource lists must contain the same objects.

import { join } from 'node:path';
import fc from 'fast-check';
import { folderRegistry } from '../../render/chart/registry.node.ts';
import { RenderError, type RenderErrorCode } from '../../render/core/errors.ts';
import { Dice, wordList } from '../support/dice.ts';
import { generatedOrder } from '../support/generated-orders.ts';
import { objectTexts } from '../support/objects.ts';
import { chartsDirectory, renderSample } from '../support/orders.ts';
import { valueTree } from '../support/value-trees.ts';
import { type Family, type Finding, type Job, type Outcome, seedOf, slowMs } from './family.ts';
import { word } from './words.ts';

const codes: ReadonlySet<RenderErrorCode> = new Set<RenderErrorCode>([
  ...(['ORDER_INVALID', 'CHART_NOT_FOUND', 'CHART_INVALID', 'VALUES_INVALID', 'TEMPLATE_PARSE'] as const),
  ...(['TEMPLATE_EXEC', 'MANIFEST_INVALID', 'LIMIT_REACHED', 'ARGUMENT_INVALID'] as const),
]);
const order = generatedOrder();
const embedded = generatedOrder(fc.constant({ kind: 'Embed', name: 'sample' }));
const registry = folderRegistry([chartsDirectory]);

const unusualValues: readonly ((dice: Dice) => unknown)[] = [
  (dice) =>
    dice.pick([
      null,
      true,
      0,
      -1,
      1.5,
      1e300,
      '',
      [],
      {},
      [null],
      [[]],
      undefined,
      Number.NaN,
      10n,
      Symbol.iterator,
      () => 1,
    ]),
  (dice) => word(dice),
  (dice) => ({ [word(dice)]: word(dice) }),
  (dice) => [
    {
      op: dice.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'nope']),
      path: `/${dice.pick(['', 'a', 'a/0', '-', '~0', '~2', '__proto__', 'constructor/prototype', word(dice)])}`,
      value: word(dice),
    },
  ],
  (dice) => [{ op: 'copy', from: dice.pick(['/', '', '/env', '/nope']), path: `/${word(dice)}` }],
  (dice) =>
    JSON.parse(
      `${'['.repeat(dice.below(2000))}${']'.repeat(0)}`.replace(/^(\[*)$/, (open) => open + ']'.repeat(open.length)) ||
        'null',
    ),
  (dice) => JSON.parse(`{"__proto__": ${JSON.stringify(word(dice))}, "constructor": {"prototype": 1}}`),
  (dice) => 'x'.repeat(dice.below(5000)),
  (dice) =>
    dice.pick([
      new Map(),
      new Set(),
      new Date(0),
      /x/,
      new Uint8Array(3),
      new Error('x'),
      Object.create(null),
      new Proxy({}, {}),
      Object.freeze({ a: 1 }),
    ]),
];

// Deeper places are not changed.
const maxPathLength = 20;

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || path.length >= maxPathLength) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const inner = replaced(Object.hasOwn(copy, key) ? copy[key] : undefined, rest, other);
  // As in the result of JSON.parse, `__proto__` is an ordinary key.
  Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

const fields = wordList`
  name version releaseName namespace valuesFile values valuesPatch resources waitFors sourceRef bundle url kind spec
  dependsOn nope __proto__ toString
`;

function makeOrder(seed: number): { readonly input: unknown; readonly changed: boolean } {
  const dice = new Dice(seed);
  const [valid] = fc.sample(dice.chance(0.5) ? order : embedded, { seed, numRuns: 1 });
  if (dice.chance(0.3)) return { input: valid, changed: false };
  if (dice.chance(0.1)) return { input: fc.sample(valueTree, { seed, numRuns: 1 })[0], changed: true };
  let input: unknown = valid;
  for (let count = 1 + dice.below(2); count > 0; count--) {
    const place = dice.pick(placesIn(input));
    const target = dice.chance(0.4) ? [...place.slice(0, -1), dice.pick(fields)] : place;
    input = replaced(input, target, dice.pick(unusualValues)(dice));
  }
  return { input, changed: true };
}

const unique = (objects: readonly string[]): string => [...new Set(objects)].sort().join('---\n');

/** Renders all outputs of an Order. Returns a description of the failure, if any. */
async function checkOrder(input: unknown): Promise<{ readonly failure?: string; readonly rejected: boolean }> {
  try {
    const rendered = await renderSample(input, {
      registry,
      chartPath: ({ chart }) => join(chartsDirectory, chart.metadata.name),
    });
    const manifest = unique(objectTexts(rendered.manifest()));
    for (const format of ['yaml', 'json'] as const) {
      const lists = rendered.resources({ format }).flatMap((list) => [...list.crds, ...list.resources]);
      if (unique(lists.flatMap(({ data }) => objectTexts(data))) !== manifest)
        return { failure: `the ${format} list and the manifest contain different objects`, rejected: false };
    }
    for (const script of [rendered.helmScript(), rendered.yamlScript()])
      if (typeof script !== 'string') return { failure: 'no script', rejected: false };
    return { rejected: false, ...pollution() };
  } catch (error) {
    if (
      error instanceof RenderError &&
      codes.has(error.code) &&
      !/undefined|\[object|at .*\.ts:/.test(error.message.replaceAll('"', ''))
    )
      return { rejected: true, ...pollution() };
    return { failure: (error as Error).stack ?? String(error), rejected: true };
  }
}

function pollution(): { readonly failure?: string } {
  const names = Object.keys(Object.prototype);
  return names.length === 0 ? {} : { failure: `all objects have ${names.join(', ')}` };
}

function shown(input: unknown): string {
  const text = JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function' ? String(value) : value,
  );
  return `${text}`.slice(0, 3000);
}

async function run(job: Job): Promise<Outcome> {
  const findings: Finding[] = [];
  let [rejected, longestMs] = [0, 0];
  for (let at = 0; at < job.count; at++) {
    const seed = seedOf(job, at);
    const { input } = makeOrder(seed);
    const before = process.cpuUsage();
    const result = await checkOrder(input);
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1000;
    longestMs = Math.max(longestMs, milliseconds);
    if (result.rejected) rejected++;
    const report = (kind: Finding['kind'], text: string): void =>
      void findings.push({ family: job.family, seed, kind, text });
    if (result.failure !== undefined) report('crashes', `${result.failure}\n${shown(input)}`);
    if (milliseconds > slowMs) report('slow', `${milliseconds.toFixed()} ms\n${shown(input)}`);
  }
  return { inputs: job.count, rejected, findings, longestMs };
}

/** Valid and hostile Orders, with all of their outputs. */
export const orders: Family = {
  name: 'orders',
  about: 'Orders of the fixture charts: structure, patches, hostile shapes',
  batch: 100,
  share: 3,
  run,
};

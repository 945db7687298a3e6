// Generates Orders of the fixture charts, Orders with unusual values in some places, and values that are not Orders. Rendering must not crash,
// errors must have a known code, and the manifest and both resource lists must contain the same objects.

import fc from 'fast-check';
import { folderRegistry } from '../../render/chart/registry.node.ts';
import { RenderError, type RenderErrorCode } from '../../render/core/errors.ts';
import { Dice, wordList } from '../support/dice.ts';
import { generatedOrder } from '../support/generated-orders.ts';
import { objectTexts } from '../support/objects.ts';
import { chartsDirectory, renderSample } from '../support/orders.ts';
import { valueTree } from '../support/value-trees.ts';
import { type Family, runInputs, type Tried } from './family.ts';
import { word } from './words.ts';

const codes: ReadonlySet<RenderErrorCode> = new Set<RenderErrorCode>([
  ...(['ORDER_INVALID', 'CHART_NOT_FOUND', 'CHART_INVALID', 'VALUES_INVALID', 'TEMPLATE_PARSE'] as const),
  ...(['TEMPLATE_EXEC', 'MANIFEST_INVALID', 'LIMIT_REACHED', 'ARGUMENT_INVALID'] as const),
]);
const order = generatedOrder();
const embedded = generatedOrder(fc.constant({ kind: 'Embed', name: 'sample' }));
const registry = folderRegistry([chartsDirectory]);

const operations = wordList`add remove replace move copy test nope`;
const paths = wordList`/ /a /a/0 /- /~0 /~2 /__proto__ /constructor/prototype /env /nope`;

// Values that JSON cannot hold are passed to every public function by public-functions.test.ts.
const unusualValues: readonly ((dice: Dice) => unknown)[] = [
  (dice) => dice.pick([null, true, 0, -1, 1.5, 1e300, '', [], {}, [null], [[]], undefined]),
  word,
  (dice) => ({ [word(dice)]: word(dice) }),
  (dice) => [{ op: dice.pick(operations), from: dice.pick(paths), path: dice.pick(paths), value: word(dice) }],
  (dice) => JSON.parse(`{"__proto__": ${JSON.stringify(word(dice))}, "constructor": {"prototype": 1}}`),
  (dice) => 'x'.repeat(dice.below(5000)),
];

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
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

function makeOrder(seed: number): unknown {
  const dice = new Dice(seed);
  const [valid] = fc.sample(dice.chance(0.5) ? order : embedded, { seed, numRuns: 1 });
  if (dice.chance(0.3)) return valid;
  if (dice.chance(0.1)) return fc.sample(valueTree, { seed, numRuns: 1 })[0];
  let input: unknown = valid;
  for (let count = 1 + dice.below(2); count > 0; count--) {
    const place = dice.pick(placesIn(input));
    const target = dice.chance(0.4) ? [...place.slice(0, -1), dice.pick(fields)] : place;
    input = replaced(input, target, dice.pick(unusualValues)(dice));
  }
  return input;
}

const unique = (objects: readonly string[]): string => [...new Set(objects)].sort().join('---\n');

/** Renders all outputs of an Order. */
async function tryOrder(input: unknown): Promise<Tried> {
  const text = `${JSON.stringify(input)}`.slice(0, 3000);
  try {
    const rendered = await renderSample(input, { registry });
    const manifest = unique(objectTexts(rendered.manifest()));
    const disagreeing = (['yaml', 'json'] as const).filter((format) => {
      const lists = rendered.resources({ format }).flatMap((list) => [...list.crds, ...list.resources]);
      return unique(lists.flatMap(({ data }) => objectTexts(data))) !== manifest;
    });
    rendered.helmScript();
    rendered.yamlScript();
    const [format] = disagreeing;
    const crash = format && `the ${format} list and the manifest contain different objects`;
    return { text, rejected: false, crash: crash ?? pollution() };
  } catch (error) {
    const isExpected = error instanceof RenderError && codes.has(error.code) && !isUnclear(error.message);
    return { text, rejected: true, crash: isExpected ? pollution() : ((error as Error).stack ?? String(error)) };
  }
}

function isUnclear(message: string): boolean {
  return /undefined|\[object|at .*\.ts:/.test(message.replaceAll('"', ''));
}

function pollution(): string | undefined {
  const names = Object.keys(Object.prototype);
  return names.length === 0 ? undefined : `all objects have ${names.join(', ')}`;
}

/** Valid and hostile Orders, with all of their outputs. */
export const orders: Family = {
  name: 'orders',
  about: 'Orders of the fixture charts: structure, patches, hostile shapes',
  batch: 100,
  share: 2,
  run: (job) => runInputs(job, (seed) => tryOrder(makeOrder(seed))),
};

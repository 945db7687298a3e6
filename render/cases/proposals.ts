// Proposes values that may change the outcome of a branch, based on its inputs.

import { type GoValue, Int } from '../go/value.ts';
import type { JsonValue } from '../order/order.ts';
import type { Steps } from '../values/paths.ts';
import { exampleText } from './example-names.ts';
import { type Examples, holdsPlaceholder } from './examples.ts';
import type { ObservedInputs, ObservedValue } from './observe.ts';

/** A change of a case. */
export type ProposedChange =
  | ProposedValue
  | { readonly kind: 'kubeVersion'; readonly version: string }
  | { readonly kind: 'apiVersion'; readonly name: string }
  | { readonly kind: 'upgrade' };

/** A value that is set. */
export interface ProposedValue {
  readonly kind: 'value';
  readonly path: Steps;
  readonly value: JsonValue;
  readonly likelihood: Likelihood;
}

/** How likely users are to write a value. */
export type Likelihood =
  /** A toggled switch, or a value in the chart: a constant in a template, or an example. */
  | 'stated'
  /** It has the type of the default but its content is made up. */
  | 'possible'
  /** It has another type. */
  | 'unlikely';

/** Returns the changes to try for a branch, the most likely first. */
export function proposalsFor(inputs: ObservedInputs, examples: Examples): ProposedChange[] {
  // The last read decided: conditions end at the first operand that determines them.
  const values = [...inputs.values.values()].reverse();
  return [
    ...values.flatMap((read) => likely(read, inputs, examples)),
    ...[...inputs.apiVersions].map((name): ProposedChange => ({ kind: 'apiVersion', name })),
    ...(inputs.others.has('upgrade') ? [{ kind: 'upgrade' } as const] : []),
    ...versionsAround(inputs).map((version): ProposedChange => ({ kind: 'kubeVersion', version })),
    ...values.flatMap((read) => unlikely(read, inputs)),
  ];
}

function likely(
  { path, value }: ObservedValue,
  { constants, values }: ObservedInputs,
  examples: Examples,
): ProposedChange[] {
  const known = examples.at(path);
  const name = String(path.at(-1));
  const proposed: JsonValue[] = [];
  const otherText = value === '' ? exampleText(name) : '';
  if (typeof value === 'boolean') proposed.push(!value);
  else if (typeof value === 'number' || value instanceof Int) {
    const number = Number(value instanceof Int ? value.value : value);
    proposed.push(...numbersAround(constants), number === 0 ? 1 : 0);
  } else if (typeof value === 'string') {
    // With several values it is unknown which of them a constant is for.
    const texts = textsOf(constants);
    const [first, then] = values.size > 1 ? [[], changes(path, texts, value, 'unlikely')] : [texts, []];
    return [
      ...changes(path, first, value, 'stated'),
      ...exampleChanges(path, known, value),
      ...changes(path, [otherText], value, 'possible'),
      ...then,
    ];
  } else if (Array.isArray(value) && value.length > 0) {
    return [...changes(path, [[]], value, 'possible'), ...exampleChanges(path, known, value)];
  } else {
    if (value !== null) return exampleChanges(path, known, value);
    return changes(path, [...known, ...constants, isSwitch(name) || exampleText(name)], value, 'unlikely');
  }
  return changes(path, proposed, value, 'stated');
}

// Values of other types than the default, for values with an empty default or none.
function unlikely({ path, value }: ObservedValue, { constants, versionRanges }: ObservedInputs): ProposedChange[] {
  const name = String(path.at(-1));
  const proposed: JsonValue[] = [...constants].flatMap((constant) => kinds.get(constant) ?? []);
  if (value === null) {
    proposed.push(
      isSwitch(name) ? exampleText(name) : true,
      [{ name: 'example' }],
      ['example'],
      { key: 'value' },
      { key: { name: 'example' } },
    );
    proposed.push(...[...versionRanges].flatMap(versionsIn), 1);
  } else if (Array.isArray(value)) {
    proposed.push([{ name: 'example' }], ['example'], [1], []);
  } else if (value instanceof Map) {
    // A non-empty map is emptied by removing it, because Helm merges maps.
    if (value.size > 0) proposed.push(null);
    proposed.push({ key: 'value' }, { key: { name: 'example' } }, { key: ['example'] });
  } else {
    proposed.push(null, ...constants, ...[...versionRanges].flatMap(versionsIn));
    if (typeof value === 'string') proposed.push({ key: 'value' }, ['example'], true);
    if (typeof value === 'boolean') proposed.push('example', { key: 'value' });
  }
  return changes(path, proposed, value, 'unlikely');
}

/** Values of the kinds tested by `kindIs`. */
const kinds: ReadonlyMap<string | number, JsonValue> = new Map<string, JsonValue>([
  ['map', { key: 'value' }],
  ['slice', ['example']],
  ['string', 'example'],
  ['bool', true],
  ['int', 1],
  ['float64', 1],
]);

function changes(
  path: Steps,
  proposed: readonly JsonValue[],
  value: GoValue,
  likelihood: Likelihood,
): ProposedChange[] {
  return proposed
    .filter((item) => item !== value)
    .map((item) => ({ kind: 'value' as const, path, value: item, likelihood }));
}

// An example with a placeholder shows the form of a value, not its content.
function exampleChanges(path: Steps, known: readonly JsonValue[], value: GoValue): ProposedChange[] {
  return known.flatMap((one) => changes(path, [one], value, holdsPlaceholder(one) ? 'possible' : 'stated'));
}

function textsOf(constants: ReadonlySet<string | number>): string[] {
  return [...constants].filter((constant) => typeof constant === 'string');
}

function numbersAround(constants: ReadonlySet<string | number>): number[] {
  return [...constants].flatMap((constant) =>
    typeof constant === 'number' ? [constant, constant + 1, Math.max(constant - 1, 0)] : [],
  );
}

function versionsAround({ versionRanges, others }: ObservedInputs): string[] {
  return others.has('kubeVersion') || versionRanges.size > 0 ? [...versionRanges].flatMap(versionsIn) : [];
}

// For `>=1.19-0`: 1.19.0 and the version before it.
function versionsIn(range: string): string[] {
  return [...range.matchAll(/(?<!\d)(\d+)\.(\d+)/g)].flatMap(([, major, minor]) => [
    `${major}.${minor}.0`,
    ...(Number(minor) > 0 ? [`${major}.${Number(minor) - 1}.0`] : []),
    `${major}.${Number(minor) + 1}.0`,
  ]);
}

function isSwitch(name: string): boolean {
  return /^(enable|disable|use|is|has|create|allow|skip|include)|enabled$|create$/i.test(name);
}

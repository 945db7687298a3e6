// Broken objects: valid ones of every kind, each with one mutation. The seed is fixed, so that runs are reproducible.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Dice, wordList } from '../../support/dice.ts';
import type { KubeObject } from './charts.ts';

/** A broken object and a description of the mutation. */
export interface BrokenObject {
  readonly what: string;
  readonly object: KubeObject;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Holder = { [name: string | number]: Json };

/** A member of an object, or an item of a list. */
interface Place {
  readonly holder: Holder;
  readonly key: string | number;
  readonly path: string;
}

/** Mutates an object at a place. */
type Mutation = (place: Place, dice: Dice) => void;

/** A mutation, and the places that it applies to. */
type Rule = readonly [name: string, applies: (place: Place) => boolean, mutate: Mutation];

const file = new URL('../../../fixtures/kubernetes/objects.yaml', import.meta.url);

/** Returns a number of broken objects. Cycles through the rules and picks objects and places at random. */
export function brokenObjects(count: number, seed = 20_260_101): readonly BrokenObject[] {
  const subjects = parse(readFileSync(file, 'utf8')) as { readonly object: KubeObject }[];
  const dice = new Dice(seed);
  const broken: BrokenObject[] = [];
  for (let at = 0; broken.length < count; at++) {
    const [name, applies, mutate] = rules[at % rules.length]!;
    const { object } = dice.pick(subjects);
    const copy = structuredClone(object);
    const places = placesIn({ '': copy as Json }, '').filter(applies);
    if (places.length === 0) continue;
    const place = dice.pick(places);
    mutate(place, dice);
    if (JSON.stringify(copy) !== JSON.stringify(object))
      broken.push({ what: `${name}: ${object.kind}${place.path}`, object: copy });
  }
  return broken;
}

function placesIn(value: Json, path: string): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) => {
    const holder = value as Holder;
    const inner = typeof key === 'number' ? `${path}[${key}]` : `${path}${key === '' ? '' : `.${key}`}`;
    return [{ holder, key, path: inner }, ...placesIn(holder[key]!, inner)];
  });
}

const valueAt = ({ holder, key }: Place): Json => holder[key]!;
const isMap = (value: Json): value is Holder => typeof value === 'object' && value !== null && !Array.isArray(value);
const isInner = ({ path }: Place): boolean => !/^(?:\.(?:apiVersion|kind|metadata|metadata\.name))?$/.test(path);
const isMetadata = (place: Place): boolean => place.key === 'metadata' && isMap(valueAt(place));
const set =
  (values: readonly Json[]): Mutation =>
  ({ holder, key }, dice) => {
    holder[key] = structuredClone(dice.pick(values));
  };

const names = [...wordList`Upper under_score -a a- a..b a/b a:b a.b 1a`, 'a b', 'a'.repeat(64), 'a'.repeat(254), ''];
const labels: readonly object[] = [
  { a: 'with space' },
  { a: '-a' },
  { a: 'a'.repeat(64) },
  { 'a b': 'a' },
  { 'a/b/c': 'a' },
  { '/a': 'a' },
  { '': 'a' },
  { 'Upper.example.com/a': 'a' },
  { ['a'.repeat(64)]: 'a' },
];

const rules: readonly Rule[] = [
  [
    'unknown field',
    (place) => isMap(valueAt(place)),
    (place) => {
      (valueAt(place) as Holder).noSuchField = 'a';
    },
  ],
  [
    'misspelled field',
    (place) => isInner(place) && String(place.key).length > 3,
    ({ holder, key }, dice) => {
      const name = String(key);
      const wrong = dice.pick([name.slice(0, -2), name.toLowerCase(), name.toUpperCase(), `${name}s`]);
      if (wrong in holder) return;
      holder[wrong] = holder[key]!;
      delete holder[key];
    },
  ],
  ['another type', isInner, set(['a', 7, 1.5, true, null, [], ['a'], {}, { a: 'b' }])],
  [
    'missing field',
    isInner,
    ({ holder, key }) => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    },
  ],
  [
    'another API version',
    ({ path }) => path === '.apiVersion',
    set(wordList`v9 apps/v9 extensions/v1beta1 example.com/v1`),
  ],
  ['another kind', ({ path }) => path === '.kind', set(['Deployments', 'deployment', 'Unknown', ''])],
  ['invalid name', ({ path }) => path === '.metadata.name', set(names)],
  [
    'invalid label',
    isMetadata,
    (place, dice) => {
      const metadata = valueAt(place) as { [name: string]: object };
      const member = dice.pick(['annotations', 'labels', 'labels']);
      metadata[member] = { ...metadata[member], ...dice.pick(labels) };
    },
  ],
  [
    'invalid text',
    (place) => place.path.startsWith('.spec') && typeof valueAt(place) === 'string',
    ({ holder, key }, dice) => {
      const text = String(holder[key]);
      holder[key] = dice.pick(['NoSuchValue', text.toLowerCase(), `${text} `, '', '1x']);
    },
  ],
  ['invalid number', (place) => typeof valueAt(place) === 'number', set([-1, 70_000, 3_000_000_000, 1e20, 0])],
];

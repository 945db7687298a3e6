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

const file = new URL('../../../fixtures/kubernetes/objects.yaml', import.meta.url);

/** Returns a number of broken objects. Cycles through the mutations and picks objects at random. */
export function brokenObjects(count: number, seed = 20_260_101): readonly BrokenObject[] {
  const subjects = parse(readFileSync(file, 'utf8')) as { readonly object: KubeObject }[];
  const dice = new Dice(seed);
  const broken: BrokenObject[] = [];
  for (let at = 0; broken.length < count; at++) {
    const [name, mutate] = mutations[at % mutations.length]!;
    const object = structuredClone(dice.pick(subjects).object);
    const change = mutate(object as unknown as Holder, dice);
    if (change !== undefined) broken.push({ what: `${name}: ${object.kind} ${change}`, object });
  }
  return broken;
}

/** Mutates an object in place. Returns a description; undefined if the mutation does not apply to the object. */
type Mutation = (object: Holder, dice: Dice) => string | undefined;

const mutations: readonly (readonly [name: string, mutate: Mutation])[] = [
  ['unknown field', unknownField],
  ['misspelled field', misspelledField],
  ['wrong type', wrongType],
  ['missing field', missingField],
  ['wrong kind', wrongKind],
  ['invalid name', invalidName],
  ['invalid label', invalidLabel],
  ['invalid string', invalidString],
  ['invalid number', invalidNumber],
  ['null', nullField],
];

interface Place {
  readonly holder: Holder;
  readonly key: string | number;
  readonly path: string;
}

function placesIn(value: Json, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) => {
    const holder = value as Holder;
    const inner = typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;
    return [{ holder, key, path: inner }, ...placesIn(holder[key]!, inner)];
  });
}

// `wrongKind` changes the members that identify an object.
function choose(object: Holder, dice: Dice, matches: (place: Place) => boolean): Place | undefined {
  const all = placesIn(object as Json)
    .filter(({ path }) => !/^\.(?:apiVersion|kind)$/.test(path))
    .filter(matches);
  return all.length === 0 ? undefined : dice.pick(all);
}

const isMap = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownField(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, ({ holder, key }) => isMap(holder[key]));
  if (place === undefined) return undefined;
  (place.holder[place.key] as Holder).noSuchField = 'a';
  return `${place.path}.noSuchField`;
}

function misspelledField(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, ({ holder, key }) => !Array.isArray(holder) && String(key).length > 3);
  if (place === undefined) return undefined;
  const { holder, key } = place;
  const name = String(key);
  const at = 1 + dice.below(name.length - 2);
  const wrong = dice.pick([name.slice(0, at) + name.slice(at + 1), name.toLowerCase(), name.toUpperCase(), `${name}s`]);
  if (wrong === name || wrong in holder) return undefined;
  holder[wrong] = holder[key]!;
  delete holder[key];
  return `${place.path} as ${wrong}`;
}

const otherTypes: readonly Json[] = ['a', 7, 1.5, true, [], ['a'], {}, { a: 'b' }];

function wrongType(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, () => true);
  if (place === undefined) return undefined;
  const { holder, key, path } = place;
  const typeOf = (value: Json): string => (Array.isArray(value) ? 'list' : typeof value);
  const others = otherTypes.filter((value) => typeOf(value) !== typeOf(holder[key]!));
  holder[key] = structuredClone(dice.pick(others));
  return `${path} is ${JSON.stringify(holder[key])}`;
}

function missingField(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, ({ path }) => path !== '.metadata' && path !== '.metadata.name');
  if (place === undefined) return undefined;
  const { holder, key, path } = place;
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return `${path} removed`;
}

function nullField(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, ({ path }) => path !== '.metadata' && path !== '.metadata.name');
  if (place === undefined) return undefined;
  place.holder[place.key] = null;
  return `${place.path} is null`;
}

function wrongKind(object: Holder, dice: Dice): string | undefined {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const group = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/` : '';
  const wrong: readonly (readonly [string, string])[] = [
    [apiVersion, `${kind}s`],
    [apiVersion, kind.toLowerCase()],
    [`${group}v1beta1`, kind],
    [`${group}v9`, kind],
    ['extensions/v1beta1', kind],
    ['example.com/v1', kind],
    ['', kind],
    [apiVersion, ''],
  ];
  const [newVersion, newKind] = dice.pick(wrong);
  object.apiVersion = newVersion;
  object.kind = newKind;
  return `${apiVersion} as ${newVersion} ${newKind}`;
}

const names = [...wordList`Upper under_score -a a- a..b a/b a:b a.b 1a`, 'a b', 'a'.repeat(64), 'a'.repeat(254), ''];

function invalidName(object: Holder, dice: Dice): string {
  const name = dice.pick(names);
  (object.metadata as Holder).name = name;
  return `metadata.name is ${JSON.stringify(name.length > 40 ? `${name.length} letters` : name)}`;
}

const labels: readonly (readonly [key: string, value: string])[] = [
  ['a', 'with space'],
  ['a', '-a'],
  ['a', 'a'.repeat(64)],
  ['a b', 'a'],
  ['a/b/c', 'a'],
  ['/a', 'a'],
  ['', 'a'],
  ['Upper.example.com/a', 'a'],
  ['a'.repeat(64), 'a'],
];

function invalidLabel(object: Holder, dice: Dice): string | undefined {
  const maps = placesIn(object as Json).filter(
    ({ holder, key, path }) => key === 'metadata' && isMap(holder[key]) && !path.includes('managedFields'),
  );
  const { holder, key, path } = dice.pick(maps);
  const member = dice.below(3) === 0 ? 'annotations' : 'labels';
  const [name, value] = dice.pick(labels);
  const metadata = holder[key] as Holder;
  metadata[member] = { ...(metadata[member] as object), [name]: value };
  return `${path}.${member} has ${JSON.stringify({ [name]: value }).slice(0, 60)}`;
}

function invalidString(object: Holder, dice: Dice): string | undefined {
  const place = choose(
    object,
    dice,
    ({ holder, key, path }) => typeof holder[key] === 'string' && path.startsWith('.spec'),
  );
  if (place === undefined) return undefined;
  const old = String(place.holder[place.key]);
  const wrong = dice.pick(['NoSuchValue', old.toLowerCase(), `${old} `, '', '1x']);
  if (wrong === old) return undefined;
  place.holder[place.key] = wrong;
  return `${place.path} is ${JSON.stringify(wrong)} instead of ${JSON.stringify(old)}`;
}

function invalidNumber(object: Holder, dice: Dice): string | undefined {
  const place = choose(object, dice, ({ holder, key }) => typeof holder[key] === 'number');
  if (place === undefined) return undefined;
  const wrong = dice.pick([-1, 70_000, 3_000_000_000, 1e20, 0]);
  place.holder[place.key] = wrong;
  return `${place.path} is ${wrong}`;
}

// What a scalar means that few people write: octal digits, exponents, bases of sixty, tags. The reader with places is asked
// for its own rules, so that both say the same.

import { isScalar, type ParseOptions, parseDocument, type ScalarTag } from 'yaml';
import { readOptions } from './read-options.ts';

type Rule = Pick<ScalarTag, 'tag' | 'default' | 'test' | 'resolve'>;

let rules: readonly Rule[] | undefined;
const options: ParseOptions = {};

/**
 * Gives the value of a plain scalar, or of any that has one of YAML's own tags (`int` of `!!int`); undefined where
 * it is none of JSON's.
 */
export function readOddScalar(text: string, tag?: string): string | number | boolean | null | undefined {
  rules ??= parseDocument('', readOptions).schema.tags.filter((rule) => rule.collection === undefined);
  const rule = tag === undefined ? byTest(rules, text) : byName(rules, text, `tag:yaml.org,2002:${tag}`);
  if (rule === undefined) return text;
  const read: unknown = rule.resolve(text, () => {}, options);
  const value = isScalar(read) ? read.value : read;
  const isJson = value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isJson ? value : undefined;
}

function byTest(among: readonly Rule[], text: string): Rule | undefined {
  return among.find((rule) => rule.default === true && rule.test?.test(text) === true);
}

// A tag that does not fit its text says nothing, as one that nobody knows.
function byName(among: readonly Rule[], text: string, name: string): Rule | undefined {
  const named = among.filter(({ tag }) => tag === name);
  return (
    named.find((rule) => rule.default !== true || rule.test === undefined) ??
    named.find(({ test }) => test?.test(text) === true)
  );
}

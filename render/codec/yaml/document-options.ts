// Options that make the `yaml` package, which keeps comments and formatting of edited texts, read scalars like Helm.

import type { Document, DocumentOptions, ParseOptions, Scalar, ScalarTag, SchemaOptions, Tags } from 'yaml';
import { type GoValue, Int } from '../../go/value.ts';
import { resolvePlain, yamlTagPrefix } from './scalar.ts';

/** A pattern that matches according to go-yaml: the package needs a regular expression and only calls `test`. */
class MeaningTest extends RegExp {
  readonly #fits: (meaning: GoValue) => boolean;

  constructor(fits: (meaning: GoValue) => boolean) {
    super('');
    this.#fits = fits;
  }

  override test(text: string): boolean {
    return this.#fits(resolvePlain(text));
  }
}

const isNumber = (value: GoValue): boolean => value instanceof Int || typeof value === 'number';

const scalarTags: readonly ScalarTag[] = [
  scalarTag('null', (value) => value === null),
  scalarTag('bool', (value) => typeof value === 'boolean'),
  scalarTag('int', (value) => value instanceof Int),
  scalarTag('float', isNumber),
];

function scalarTag(name: string, fits: (meaning: GoValue) => boolean): ScalarTag {
  return {
    tag: `${yamlTagPrefix}${name}`,
    default: true,
    identify: (value) => fits(value as GoValue),
    test: new MeaningTest(fits),
    resolve: (text) => plainMeaning(text),
    stringify: ({ source, value }: Scalar) =>
      source !== undefined && Object.is(plainMeaning(source), value) ? source : textOf(value),
  };
}

function plainMeaning(text: string): unknown {
  const value = resolvePlain(text);
  return value instanceof Int ? Number(value.value) : value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

// Dates and binary values stay texts, because JSON has neither.
const replaced = /:(?:null|bool|int|float|timestamp|binary|set|omap|pairs)$/;

/** Options for `parseDocument` and `stringify` of the `yaml` package. Their output is read the same by every YAML parser. */
export const helmYaml: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  compat: 'yaml-1.1',
  customTags: (tags): Tags => [
    ...tags.filter((tag) => typeof tag === 'string' || !replaced.test(tag.tag)),
    ...scalarTags,
  ],
};

/** Returns the text of an edited document: JSON if its source is, and YAML with long lines as they were otherwise. */
export function editedText(document: Document.Parsed, source: string): string {
  return source.trimStart().startsWith('{')
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString({ lineWidth: 0 });
}

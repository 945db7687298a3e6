// YAML as in helm-unittest: go-yaml v3, where integers stay integers, `yes` is a text and dates are times.
// Mirrors: go.yaml.in/yaml v3, resolve.go and decode.go; helm-unittest 1.1.0, internal/common, utilities.go.

import { emitYaml, emitYamlPretty } from '../codec/yaml/emit.ts';
import { YamlComposer } from '../codec/yaml/grammar.ts';
import { keyText, rememberKey, wasOddKey } from '../codec/yaml/key.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { readSource } from '../codec/yaml/reader.ts';
import { isTimestamp, resolvePlain } from '../codec/yaml/scalar.ts';
import { YamlScanner } from '../codec/yaml/scanner.ts';
import { orUndefined } from '../core/catch.ts';
import { parseGoTime } from '../go/time/time.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';

/** The separator of documents in suites and manifests. */
const separator = /(?:^|(?<![\t\n\f\r ])[\t\n\f\r ]*\n)---[\t\n\f\r ]*/;

/** Splits a text at lines of `---`, including empty parts. */
export function splitSuiteDocuments(text: string): readonly string[] {
  return text.split(separator);
}

/** Parses the first document of a text. Throws GoError, for example `yaml: line 2: did not find expected key`. */
export function parseSuiteYaml(text: string): GoValue {
  const source = readSource(text);
  if (source.fault !== undefined) throw new GoError(`yaml: ${source.fault}`);
  return new ThirdComposer(new YamlScanner(source), true).document().value;
}

/** A rendered object: the whole of a document. */
export type TestManifest = GoMap;

/** Parses the objects of a rendered file without empty documents. Throws GoError. */
export function readManifests(text: string): TestManifest[] {
  const manifests: TestManifest[] = [];
  const parts = splitSuiteDocuments(text);
  for (const [i, part] of parts.entries()) {
    // A text at the end of its document keeps its line break, which the separator consumed.
    const value = parseSuiteYaml(i < parts.length - 1 ? `${part}\n` : part);
    if (value === null) continue;
    if (!(value instanceof Map)) throw new GoError('a rendered document must be a mapping');
    if (value.size > 0) manifests.push(value);
  }
  return manifests;
}

/** Formats a value for snapshots and failures: go-yaml v3, indented by 2. */
export function showYaml(value: GoValue): string {
  return emitYamlPretty(withoutLeadingBreaks(value), wasOddKey);
}

// helm-unittest's workaround for a go-yaml bug; it stops at maps with keys that are not strings.
function withoutLeadingBreaks(value: GoValue): GoValue {
  if (typeof value === 'string') return value.replace(/^\n+/, '');
  if (Array.isArray(value)) return value.map(withoutLeadingBreaks);
  if (!(value instanceof Map)) return value;
  if ([...value.keys()].some((key) => wasOddKey(value, key))) return value;
  return new Map([...value].map(([key, item]) => [key, withoutLeadingBreaks(item)]));
}

/** Converts values for Helm: every number a float64, every date a text. Throws GoError. */
export function asHelmValues(values: GoMap): GoMap {
  return (parseYaml(emitYaml(values, 'natural')) ?? new Map()) as GoMap;
}

const dateLayouts = [
  '2006-1-2T15:4:5.999999999Z07:00',
  '2006-1-2t15:4:5.999999999Z07:00',
  '2006-1-2 15:4:5.999999999',
  '2006-1-2',
];

class ThirdComposer extends YamlComposer {
  protected override scalar(kind: 'plain' | 'quoted', text: string): GoValue {
    this.anchors.count();
    return kind === 'quoted' ? text : plain(text);
  }

  protected override resolve(kind: 'plain' | 'quoted', text: string, tag: string): GoValue {
    return tag === '' && kind === 'plain' ? plain(text) : super.resolve(kind, text, tag);
  }

  protected override setEntry(map: GoMap, key: GoValue, value: GoValue): void {
    if (key instanceof Map || Array.isArray(key)) return;
    const text = key === null ? 'null' : (keyText(key) ?? emitYamlPretty(key).trimEnd());
    map.set(text, value);
    if (typeof key !== 'string') rememberKey(map, text, key);
  }
}

function plain(text: string): GoValue {
  const value = resolvePlain(text);
  // YAML 1.2 has two words for each boolean.
  if (typeof value === 'boolean') return /^(?:true|false)$/i.test(text) ? value : text;
  if (typeof value !== 'string' || !isTimestamp(text)) return value;
  for (const layout of dateLayouts) {
    const time = orUndefined(() => parseGoTime(layout, text));
    if (time !== undefined) return time;
  }
  return value;
}

// Functions that convert values to text and back: base64, base32, YAML, JSON, TOML.
// Mirrors: helm.sh/helm/v3/pkg/engine, funcs.go, v3.17.3; for the rest Masterminds/sprig, defaults.go and strings.go, v3.3.0.

import { decodeBase32, encodeBase32 } from '../codec/base32.ts';
import { emitJson, JsonNumberError, type JsonOptions, parseJson, parseJsonArray, parseJsonMap } from '../codec/json.ts';
import type { JsonVersion } from '../codec/rules.ts';
import { emitToml } from '../codec/toml/emit.ts';
import { parseToml } from '../codec/toml/parse.ts';
import { emitYaml, emitYamlPretty } from '../codec/yaml/emit.ts';
import { parseYamlArray, parseYamlMap } from '../codec/yaml/parse.ts';
import { catchGoError } from '../core/catch.ts';
import { decodeBase64, encodeBase64 } from '../go/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

/** Returns the encoding functions. Helm's own ignore an error or return it as a value; those with `must` throw it. */
export function createEncodingFuncs({ codec, functions }: Helm): FuncMap {
  const yaml = (value: GoValue): string => trimNewline(emitYaml(value, codec.yamlKeys));
  const toml = (value: GoValue): string => emitToml(value, codec.tomlExponents);
  const tomlOrMessage = (value: GoValue): string => orMessage(() => toml(value));
  return new Map([
    ...encodingFuncs,
    ...jsonFuncs(codec.json),
    ['toYaml', func(['any'], (value) => orEmpty(() => yaml(value)))],
    ['toToml', func(['any'], (value) => tomlOrMessage(notNil(value)))],
    ['fromToml', func(['string'], (text) => orErrorKey(() => parseToml(text, codec)))],
    ...(functions.mustToYaml ? [['mustToYaml', func(['any'], yaml)] as const] : []),
    ...(functions.mustToToml ? [['mustToToml', func(['any'], (value) => toml(notNil(value)))] as const] : []),
  ]);
}

const encodingFuncs: FuncMap = new Map([
  ['b64enc', func(['string'], (text) => encodeBase64(encodeUtf8(text)))],
  ['b64dec', func(['string'], (text) => orMessage(() => decodeUtf8(decodeBase64(text))))],
  ['b32enc', func(['string'], (text) => encodeBase32(encodeUtf8(text)))],
  ['b32dec', func(['string'], (text) => orMessage(() => decodeUtf8(decodeBase32(text))))],
  ['toYamlPretty', func(['any'], (value) => orEmpty(() => trimNewline(emitYamlPretty(value))))],
  ['fromYaml', func(['string'], (text) => orErrorKey(() => parseYamlMap(text)))],
  ['fromYamlArray', func(['string'], (text) => orErrorItem(() => parseYamlArray(text)))],
]);

function jsonFuncs(version: JsonVersion): FuncMap {
  const plain: JsonOptions = { version };
  const pretty: JsonOptions = { version, indent: '  ' };
  const raw: JsonOptions = { version, escapeHtml: false };
  return new Map([
    ['toJson', func(['any'], (value) => orEmpty(() => emitJson(value, plain)))],
    ['mustToJson', func(['any'], (value) => emitJson(value, plain))],
    ['toPrettyJson', func(['any'], (value) => orEmpty(() => emitJson(value, pretty)))],
    ['mustToPrettyJson', func(['any'], (value) => emitJson(value, pretty))],
    // sprig panics here, which has the same result as an error.
    ['toRawJson', func(['any'], (value) => emitJson(value, raw))],
    ['mustToRawJson', func(['any'], (value) => emitJson(value, raw))],
    ['fromJson', func(['string'], (text) => fromJson(text, version))],
    ['mustFromJson', func(['string'], (text) => parseJson(text, version))],
    ['fromJsonArray', func(['string'], (text) => orErrorItem(() => parseJsonArray(text, version)))],
  ]);
}

// What was parsed is returned in addition to the error.
function fromJson(text: string, version: JsonVersion): GoMap {
  return catchGoError(
    () => parseJsonMap(text, version),
    (error) => {
      const parsed: GoMap = error instanceof JsonNumberError && error.rest instanceof Map ? error.rest : new Map();
      return parsed.set('Error', error.message);
    },
  );
}

function notNil(value: GoValue): GoValue {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return value;
}

function trimNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function orEmpty(make: () => string): string {
  return catchGoError(make, () => '');
}

function orMessage(make: () => string): string {
  return catchGoError(make, ({ message }) => message);
}

function orErrorKey(make: () => GoMap): GoMap {
  return catchGoError(make, ({ message }) => new Map([['Error', message]]));
}

function orErrorItem(make: () => GoValue[]): GoValue[] {
  return catchGoError(make, ({ message }) => [message]);
}

// Writes Go values as YAML, byte for byte like `toYaml` and `toYamlPretty`.
// Mirrors: sigs.k8s.io/yaml 1.4.0, yaml.go, `Marshal` (JSON, parsed as YAML, written by go-yaml v2); goyaml.v3, encode.go (written from the
// Go values); emitterc.go, `emit_block_mapping_key` and others.

import { prefixGoError } from '../../core/catch.ts';
import { encodeBase64 } from '../../go/base64.ts';
import { formatFloat } from '../../go/number.ts';
import { isBytes } from '../../go/realm.ts';
import { Time } from '../../go/time/time.ts';
import { byteLength, encodeUtf8, isValidUtf8 } from '../../go/utf8.ts';
import { type GoMap, type GoObject, type GoValue, Int, int, isNil } from '../../go/value.ts';
import { checkWritten, jsonNumber, quoteJson } from '../json.ts';
import type { CodecRules } from '../rules.ts';
import { orderKeys } from './order.ts';
import { composeYaml } from './parse.ts';
import { resolvePlain } from './scalar.ts';
import { planScalar, type YamlForm, YamlWriter } from './write.ts';

type KeyOrder = CodecRules['yamlKeys'];

/**
 * Returns a value like `yaml.Marshal` of sigs.k8s.io/yaml, with a final line break. Throws GoError for values without a JSON form and texts
 * that are invalid in YAML.
 */
export function emitYaml(value: GoValue, order: KeyOrder = 'loose'): string {
  return new CompactEmitter(order).document(value);
}

/**
 * Returns a value like the encoder of goyaml.v3 with an indentation of 2, with a final line break. `isBare` returns true for a key that was
 * not a string and is written without quotes. Default: all keys were strings.
 */
export function emitYamlPretty(value: GoValue, isBare?: (map: GoMap, key: string) => boolean): string {
  return new PrettyEmitter(isBare).document(value);
}

/** Reports whether a value of maps and lists contains a text that `emitYaml` may refuse; much faster than writing it. */
export function mayRefuse(value: GoValue): boolean {
  const left: GoValue[] = [value];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    if (typeof item === 'string') {
      if (altered.test(item)) return true;
    } else if (Array.isArray(item)) for (const inner of item) left.push(inner);
    else if (item instanceof Map) {
      for (const [key, inner] of item) {
        if (key.length > longKey || altered.test(key)) return true;
        if (typeof inner === 'string' || typeof inner === 'object') left.push(inner);
      }
    }
  }
  return false;
}

// Characters that do not survive JSON parsed as YAML.
const altered = /[\x7f-\x9f\ud800-\udfff\ufffe\uffff]/;
// A JSON key longer than this may be too long for a YAML key.
const longKey = 900;
// A longer key is written after a `?`.
const maxKeyBytes = 128;

/** A string that is not valid UTF-8, as written after `!!binary`: in several lines if it is long. */
interface Binary {
  readonly base64: string;
}

/** Shared by both forms: collections and the layout of keys. */
abstract class Emitter {
  protected readonly form: YamlForm;
  protected readonly writer: YamlWriter;
  /** Reports whether a key is written without quotes even if it looks like another type. */
  protected readonly isBare: ((map: GoMap, key: string) => boolean) | undefined;
  readonly #order: KeyOrder;
  /** The enclosing collections. */
  readonly #open: GoValue[] = [];

  constructor(form: YamlForm, order: KeyOrder, isBare?: (map: GoMap, key: string) => boolean) {
    this.form = form;
    this.isBare = isBare;
    this.#order = order;
    this.writer = new YamlWriter(form);
  }

  document(value: GoValue): string {
    this.node(value, false);
    this.writer.newLine();
    return this.writer.text;
  }

  protected abstract float(value: number): void;
  /** Writes a value that is neither a scalar nor a collection in Go's sense, or nil. */
  protected abstract other(value: GoValue, inMapping: boolean): void;
  /** Returns what is written instead of a string that needs special treatment. */
  protected abstract unusual(text: string, isKey: boolean): string | Binary;
  /** Whether the dashes of a list in a mapping are in the column of its key. */
  protected abstract readonly indentless: boolean;

  /** Writes a scalar, or starts a collection. `inMapping`: it follows a key. */
  protected node(value: GoValue, inMapping: boolean): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.float(value);
    else if (typeof value === 'boolean') this.writer.word(value ? 'true' : 'false');
    else if (isNil(value)) this.other(value, inMapping);
    else if (value instanceof Map) this.mapping(orderKeys([...value.keys()], this.#order), value);
    else if (Array.isArray(value)) this.sequence(value, inMapping);
    else this.other(value, inMapping);
  }

  protected string(text: string): void {
    const plan = planScalar(text, this.form, false);
    const written = plan.isSimple ? text : this.unusual(text, false);
    if (typeof written !== 'string') {
      this.#binary(written);
      return;
    }
    const { style } = written === text ? plan : planScalar(written, this.form, false);
    this.writer.scalar(written, style, true);
  }

  // With a tag, base64 that looks like another type is not quoted.
  #binary({ base64 }: Binary): void {
    this.writer.word('!!binary');
    this.writer.scalar(base64, base64.includes('\n') ? 'literal' : 'plain', true);
  }

  protected mapping(keys: readonly string[], map: ReadonlyMap<string, GoValue>): void {
    const { writer } = this;
    const outer = writer.indent;
    if (keys.length === 0) writer.word('{}');
    else writer.indent = outer < 0 ? 0 : outer + 2;
    this.#open.push(map as GoMap);
    checkWritten(this.#open);
    for (const key of keys) {
      writer.newLine();
      if (this.isBare?.(map as GoMap, key) === true) {
        writer.word(key);
        writer.colon();
      } else this.#key(key);
      this.node(map.get(key)!, true);
    }
    this.#open.pop();
    writer.indent = outer;
  }

  #key(key: string): void {
    const { writer } = this;
    let plan = planScalar(key, this.form, true);
    let text: string | Binary = key;
    if (!plan.isSimple || key.length > maxKeyBytes) {
      text = this.unusual(key, true);
      if (typeof text === 'string' && text !== key) plan = planScalar(text, this.form, true);
    }
    const isSimple =
      typeof text === 'string' ? !plan.multiline && byteLength(text) <= maxKeyBytes : !text.base64.includes('\n');
    if (isSimple) {
      if (typeof text === 'string') writer.scalar(text, plan.style, false);
      else this.#binary(text);
      writer.colon();
    } else {
      writer.lead('?');
      if (typeof text === 'string') writer.scalar(text, planScalar(text, this.form, false).style, true);
      else this.#binary(text);
      writer.newLine();
      writer.lead(':');
    }
  }

  protected sequence(items: readonly GoValue[], inMapping: boolean): void {
    const { writer } = this;
    const outer = writer.indent;
    if (items.length === 0) writer.word('[]');
    const isIndentless = this.indentless && inMapping && !writer.isFresh;
    if (!isIndentless) writer.indent = outer < 0 ? 0 : outer + 2;
    this.#open.push(items as GoValue[]);
    checkWritten(this.#open);
    for (const item of items) {
      writer.newLine();
      writer.lead('-');
      this.node(item, false);
    }
    this.#open.pop();
    writer.indent = outer;
  }
}

class CompactEmitter extends Emitter {
  protected override readonly indentless = true;

  constructor(order: KeyOrder) {
    super('compact', order);
  }

  // The number's JSON text is parsed as YAML again: without a fraction it becomes an integer if it fits into 64 bits.
  protected override float(value: number): void {
    if (Number.isSafeInteger(value)) {
      this.writer.word(value === 0 ? '0' : String(value));
      return;
    }
    const read = resolvePlain(json(() => jsonNumber(value)));
    this.writer.word(read instanceof Int ? String(read.value) : formatFloat(value, 'g', -1));
  }

  protected override other(value: GoValue, inMapping: boolean): void {
    if (isNil(value)) this.writer.word('null');
    else if (value instanceof Int) this.writer.word(String(value.value));
    else if (isBytes(value)) this.string(encodeBase64(value));
    else
      this.node(
        json(() => (value as GoObject).json()),
        inMapping,
      );
  }

  protected override unusual(text: string, isKey: boolean): string {
    if (isKey && (text.length > longKey || altered.test(text))) {
      const { value } = composeYaml(`{${quoteJson(text)}:0}`);
      return [...(value as GoMap).keys()][0]!;
    }
    return altered.test(text) ? (composeYaml(quoteJson(text)).value as string) : text;
  }
}

function json<T>(make: () => T): T {
  return prefixGoError('error marshaling into JSON', make);
}

class PrettyEmitter extends Emitter {
  protected override readonly indentless = false;

  constructor(isBare?: (map: GoMap, key: string) => boolean) {
    super('pretty', 'natural', isBare);
  }

  protected override float(value: number): void {
    if (Number.isFinite(value)) this.writer.word(formatFloat(value, 'g', -1));
    else this.writer.word(Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf');
  }

  protected override other(value: GoValue, inMapping: boolean): void {
    if (value === null) this.writer.word('null');
    else if (value instanceof Map) this.writer.word('{}');
    else if (Array.isArray(value)) this.writer.word('[]');
    else if (value instanceof Int) this.#integer(value);
    else if (isBytes(value)) this.sequence([...value].map(int), inMapping);
    else this.#object(value as GoObject);
  }

  // Of the named integer types only a duration is a text.
  #integer(value: Int): void {
    if (value.type === 'time.Duration' && value.text !== undefined) this.string(value.text());
    else this.writer.word(String(value.value));
  }

  // A type that marshals itself to text is a text here too, but a time stays a date. Fields have their Go names in lower case.
  #object(object: GoObject): void {
    const plain = object.json();
    if (typeof plain === 'string') {
      if (object instanceof Time) this.writer.word(plain);
      else this.string(plain);
      return;
    }
    const fields = new Map([...object.fields()].map(([name, value]) => [name.toLowerCase(), value]));
    this.mapping([...fields.keys()], fields);
  }

  protected override unusual(text: string): string | Binary {
    if (isValidUtf8(text)) return text;
    const lines = encodeBase64(encodeUtf8(text)).match(/.{1,70}/g) ?? [];
    return { base64: lines.length > 1 ? `${lines.join('\n')}\n` : lines.join('') };
  }
}

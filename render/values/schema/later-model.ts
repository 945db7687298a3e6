// A JSON Schema of any draft up to 2020-12, read where it is asked.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, compiler.go and draft.go, v6.0.2.

import { quote } from '../../go/number.ts';
import { compileRegexp, type Regexp } from '../../go/regexp.ts';
import { GoError, type GoMap, type GoValue, Int } from '../../go/value.ts';
import { printNumber } from './faults.ts';
import { isNumber, type SchemaNumber } from './model.ts';

/** The drafts, by number or year. */
export type LaterDraft = 4 | 6 | 7 | 2019 | 2020;

const drafts: ReadonlyMap<string, LaterDraft> = new Map<string, LaterDraft>([
  ['json-schema.org/draft-04/schema', 4],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft/2020-12/schema', 2020],
  ['json-schema.org/schema', 2020],
]);

const holdsNames = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas'];
const holdsValues = ['const', 'enum', 'default', 'examples'];
const address = 'file:///values.schema.json';

/** Gives the schema of a document. Throws GoError with the library's text where it cannot be compiled. */
export function readLaterSchema(document: GoValue): LaterSchema {
  const name = document instanceof Map ? document.get('$schema') : undefined;
  const draft = typeof name === 'string' ? drafts.get(name.replace(/^https?:\/\//, '').replace(/#$/, '')) : 2020;
  if (draft === undefined) throw new GoError(`failing loading ${quote(String(name))}: schemas are not fetched`);
  const root = { document, named: new Map<string, GoValue>(), regexps: new Map<string, Regexp>() };
  const schema = new LaterSchema(document, draft, root);
  const nodes = [document];
  const schemas: GoMap[] = [];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) nodes.push(...node);
    if (!(node instanceof Map)) continue;
    schemas.push(node);
    for (const keyword of ['$id', 'id', '$anchor']) {
      const id = node.get(keyword);
      if (typeof id === 'string') root.named.set(keyword === '$anchor' ? `#${id}` : id, node);
    }
    for (const [keyword, value] of node) {
      if (holdsNames.includes(keyword) && value instanceof Map) nodes.push(...value.values());
      else if (!holdsValues.includes(keyword)) nodes.push(value);
    }
  }
  // What a schema refers to is looked up before any value is checked.
  for (const node of schemas) new LaterSchema(node, draft, root).reference();
  return schema;
}

interface Root {
  readonly document: GoValue;
  /** What has an id or an anchor. */
  readonly named: ReadonlyMap<string, GoValue>;
  readonly regexps: Map<string, Regexp>;
}

/** One schema: an object, `true` or `false`. */
export class LaterSchema {
  readonly node: GoValue;
  readonly draft: LaterDraft;
  private readonly root: Root;

  constructor(node: GoValue, draft: LaterDraft, root: Root) {
    this.node = node;
    this.draft = draft;
    this.root = root;
  }

  /** Gives what a keyword holds; undefined where it is not there. Beside a `$ref` old drafts know no other. */
  get(keyword: string): GoValue | undefined {
    if (!(this.node instanceof Map)) return undefined;
    if (this.draft < 2019 && keyword !== '$ref' && this.node.has('$ref')) return undefined;
    return this.node.get(keyword);
  }

  /** Gives the schema that a keyword holds; not where it holds a list. */
  child(keyword: string): LaterSchema | undefined {
    const node = this.get(keyword);
    return node instanceof Map || typeof node === 'boolean' ? this.at(node) : undefined;
  }

  /** Gives the schemas that a keyword holds in a list. */
  list(keyword: string): readonly LaterSchema[] {
    const nodes = this.get(keyword);
    return Array.isArray(nodes) ? nodes.map((node) => this.at(node)) : [];
  }

  /** Gives what a keyword holds by name. */
  members(keyword: string): readonly (readonly [string, LaterSchema])[] {
    const nodes = this.get(keyword);
    return nodes instanceof Map ? [...nodes].map(([name, node]) => [name, this.at(node)] as const) : [];
  }

  texts(keyword: string): readonly string[] {
    const list = this.get(keyword);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  }

  number(keyword: string): SchemaNumber | undefined {
    const value = this.get(keyword);
    return isNumber(value) ? value : undefined;
  }

  size(keyword: string): number | undefined {
    const value = this.number(keyword);
    return value instanceof Int ? Number(value.value) : value;
  }

  /** Says that there are too few or too many of something, if so. */
  countFault(keyword: string, got: number): string | undefined {
    const want = this.size(keyword);
    if (want === undefined || (keyword.startsWith('min') ? got >= want : got <= want)) return undefined;
    return `${keyword}: got ${printNumber(got)}, want ${printNumber(want)}`;
  }

  regexp(source: string): Regexp {
    let regexp = this.root.regexps.get(source);
    if (regexp === undefined) {
      regexp = compileRegexp(source);
      this.root.regexps.set(source, regexp);
    }
    return regexp;
  }

  /** Gives the schema that `$ref` leads to. Throws GoError where it leads nowhere. */
  reference(): LaterSchema | undefined {
    const text = this.node instanceof Map ? this.node.get('$ref') : undefined;
    if (typeof text !== 'string') return undefined;
    const named = this.root.named.get(text) ?? this.root.named.get(text.replace(/#$/, ''));
    if (named !== undefined) return this.at(named);
    if (text !== '#' && !text.startsWith('#/'))
      throw new GoError(`failing loading ${quote(text.replace(/#.*$/s, ''))}: schemas are not fetched`);
    return this.at(this.follow(text));
  }

  private follow(reference: string): GoValue {
    let node: GoValue | undefined = this.root.document;
    for (const token of reference.split('/').slice(1)) {
      const step = decodeStep(token);
      node = node instanceof Map ? node.get(step) : Array.isArray(node) ? node[Number(step)] : undefined;
      if (node === undefined) throw new GoError(`json-pointer in ${quote(`${address}${reference}`)} not found`);
    }
    return node;
  }

  private at(node: GoValue): LaterSchema {
    return new LaterSchema(node, this.draft, this.root);
  }
}

function decodeStep(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

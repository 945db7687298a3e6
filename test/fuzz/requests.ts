// Generates HTTP requests from the OpenAPI documents: valid ones, and ones with an invalid path, query, field, header or encoding.
// The same seed generates the same requests.

import { type Dice, wordList } from '../support/dice.ts';

/** One generated request. */
export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly chunked: boolean;
}

/** One operation of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body: Schema | undefined;
  /** Whether the body may be a form. */
  readonly form: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const formType = 'application/x-www-form-urlencoded';

/** Returns the operations of a document, with references resolved. */
export function operationsOf(document: OpenApi): readonly Operation[] {
  const { pathname } = new URL(document.servers[0]?.url ?? '');
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const { $ref } = value as { readonly $ref?: string };
    if ($ref !== undefined) return resolve(document.components.schemas[$ref.split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, requestBody } = resolve(operation) as {
        readonly parameters: Operation['parameters'];
        readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
      };
      const base = pathname === '/' ? '' : pathname;
      const { content = {} } = requestBody ?? {};
      return {
        method: method.toUpperCase(),
        path: base + path,
        parameters,
        body: content['application/json']?.schema,
        form: formType in content,
      };
    }),
  );
}

/** The server and the data that requests may refer to. */
export interface Subject {
  readonly operations: readonly Operation[];
  readonly tokens: readonly string[];
  readonly bodyLimit: number;
}

/** The world in which requests set faults, so that its responses may be errors. */
export const faultyWorld = 'faulty';

const words = [
  ...wordList`
    ada bob cleo harbor prod-eu aws-main aws-lab gce aws default true false 1 0
    -1 9007199254740993 18446744073709551616 1e400 NaN a/b .. . % %00 __proto__
    constructor toString ümläut 日本 <img> {{.}} yaml json
    raw flaky slow offline garbled 2030-01-01T00:00:00Z 0000-00-00 a@example.com
  `,
  ...['', ' ', '😀', '\ud800', '\u0000', "' OR 1=1", 'x'.repeat(300)],
];

const targets = [
  ...['/a', '/', '//evil.example/a', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'],
  ...['http://localhost:3000/a', '/\r\nX-A: b', '/%zz', '/ü', '@'],
];

/** Returns the next request. */
export function generateRequest(dice: Dice, subject: Subject): GeneratedRequest {
  const operation = dice.pick(subject.operations);
  const isFault = /\/(?:faults|scenarios|clock|state|restore)/.test(operation.path) && operation.method !== 'GET';
  const query = new URLSearchParams();
  let path = operation.path;
  for (const { name, in: place, schema } of operation.parameters) {
    if (place === 'path') path = path.replace(`{${name}}`, () => segment(dice, operation.path));
    else if (name === 'redirect_to') query.append(name, dice.pick(targets));
    else if (name === 'timeoutMs' || dice.chance(0.4))
      query.append(name, name === 'timeoutMs' || dice.chance(0.6) ? textLike(dice, name, schema) : dice.pick(words));
  }
  if (dice.chance(0.05)) query.append(dice.pick(words), dice.pick(words));
  if (dice.chance(0.04)) path = breakPath(dice, path);
  const search = query.size > 0 ? `?${query}${dice.chance(0.05) ? '&=%zz&&&' : ''}` : '';
  const headers = headersOf(dice, subject);
  if (isFault) headers['X-Drydock-World'] = faultyWorld;
  const prefix =
    !isFault && dice.chance(0.03) ? `/@${dice.chance(0.5) ? dice.pick(['w1', 'w2', 'w3']) : segment(dice)}` : '';
  const method = dice.chance(0.03)
    ? dice.pick(['PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'POST'])
    : operation.method;
  const isForm = operation.form && dice.chance(0.5);
  if (isForm) headers['Content-Type'] = formType;
  const body = operation.body || dice.chance(0.05) ? bodyOf(dice, { ...operation, form: isForm }, subject) : undefined;
  if (body && !dice.chance(0.04))
    headers['Content-Type'] ??= dice.chance(0.95) ? 'application/json' : dice.pick(contentTypes);
  return { method, path: prefix + path + search, headers, body, chunked: dice.chance(0.2) };
}

const contentTypes = ['text/plain', 'application/json; charset=utf-16', 'x', 'multipart/form-data'];

function segment(dice: Dice, path = ''): string {
  // Each snapshot is stored, so memory would grow with other names.
  if (path.includes('/snapshots/')) return dice.pick(['s1', 's2', '%zz', 'a%2Fb', '%ff']);
  if (path.includes('/oauth2/') && dice.chance(0.7)) return dice.pick(['org-1001', 'org-1002', 'org-1', 'org-0']);
  const word = dice.pick(words);
  if (dice.chance(0.1)) return dice.pick(['%zz', '%c3%28', '%2e%2e', '%2F', '%00', 'a%', ';', '%ff']);
  return encodeURIComponent(word === '\ud800' ? 'lone' : word) || 'x';
}

function breakPath(dice: Dice, path: string): string {
  return dice.pick([
    () => `${path}/`,
    () => path.replaceAll('/', '//'),
    () => path.toUpperCase(),
    () => `/${'a/'.repeat(200)}`,
    () => `/@${'w'.repeat(70)}${path}`,
    () => path.replace('v1', 'v%31'),
  ])();
}

function headersOf(dice: Dice, { tokens }: Subject): Record<string, string> {
  const headers: Record<string, string> = {};
  if (dice.chance(0.9)) headers.Authorization = `token ${dice.pick(tokens)}`;
  else if (dice.chance(0.7))
    headers.Authorization = dice.pick(['token', 'Bearer ', 'Basic YWRhOmFkYQ==', 'Basic %%%', 'x y z', 'token a@b@c']);
  const unusual: Readonly<Record<string, () => string>> = {
    Prefer: () =>
      dice.pick([...wordList`code=404 code=200 code=204 example=empty code=999 return=minimal`, 'code=200, example=x']),
    Sudo: () => dice.pick(['bob', 'nobody', '']),
    Origin: () => dice.pick(['http://localhost:3000', 'https://evil.example', 'null', 'x']),
    'X-HTTP-Method-Override': () => dice.pick(['GET', 'get', 'DELETE', '']),
    'X-Drydock-World': () => dice.pick(['w1', 'w2', 'w3', '', '../x', 'a b', 'x'.repeat(65)]),
    'X-Request-Id': () => dice.pick(['abc', 'a b', 'x'.repeat(100)]),
    'Content-Type': () => dice.pick(contentTypes),
    Cookie: () => 'session=x; _csrf=',
    Expect: () => '100-continue',
    Host: () => dice.pick(['evil.example', '10.0.0.1', 'localhost', '[::1]:80', 'a b']),
  };
  for (const [name, make] of Object.entries(unusual)) if (dice.chance(0.03)) headers[name] = make();
  return headers;
}

function bodyOf(dice: Dice, { body: schema = {}, form }: Operation, { bodyLimit }: Subject): Buffer {
  if (dice.chance(0.002)) return Buffer.alloc(bodyLimit + dice.below(bodyLimit), ' ');
  const value = valueLike(dice, schema, { broken: dice.chance(0.4) ? 0.25 : 0, depth: 0, name: '' });
  if (form) return Buffer.from(formOf(dice, value));
  const text = JSON.stringify(value) ?? '';
  if (!dice.chance(0.08)) return Buffer.from(text);
  return dice.pick([
    () => Buffer.from(text.slice(0, -1)),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]),
    () => Buffer.from('['.repeat(5000)),
    () => Buffer.from(`${'{"a":'.repeat(250)}1${'}'.repeat(250)}`),
    () => Buffer.from(`{"name":"n","n":${'9'.repeat(400)},"e":1e999,"z":-0.0}`),
    () => Buffer.from('{"__proto__":{"x":1},"constructor":1,"name":"a","name":"b"}'),
    () => Buffer.from(text.replace(/"[^"]*"/, '"\\ud800"')),
  ])();
}

function formOf(dice: Dice, value: unknown): string {
  const entries = Object.entries(value ?? {}).map(([key, inner]): [string, string] => {
    return [key, typeof inner === 'string' ? inner : JSON.stringify(inner)];
  });
  const text = new URLSearchParams(entries).toString();
  return dice.chance(0.9) ? text : dice.pick([`${text}&${text}`, `${text}&=%zz&&a`, text.replaceAll('=', '%')]);
}

interface ValueOptions {
  /** The probability that a field violates its schema. */
  readonly broken: number;
  readonly depth: number;
  readonly name: string;
}

function valueLike(dice: Dice, schema: Schema, options: ValueOptions): unknown {
  const { broken, depth, name } = options;
  if (dice.chance(broken)) return anyValue(dice, depth);
  const { type, properties, items, anyOf, minimum } = schema as {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
    readonly minimum?: number;
  };
  if (anyOf) return valueLike(dice, dice.pick(anyOf), options);
  const deeper = { ...options, depth: depth + 1 };
  if (type === 'object') {
    const required = (schema.required ?? []) as readonly string[];
    const entries = Object.entries(properties ?? {})
      .filter(([key]) => required.includes(key) || dice.chance(0.5))
      .filter(() => !dice.chance(broken / 4))
      .map(([key, inner]) => [key, valueLike(dice, inner, { ...deeper, name: key })]);
    if (schema.additionalProperties !== false && dice.chance(0.3))
      entries.push([dice.pick(words), anyValue(dice, depth)]);
    return Object.fromEntries(entries);
  }
  if (type === 'array') return Array.from({ length: dice.below(3) }, () => valueLike(dice, items ?? {}, deeper));
  // Short, so that waits end.
  if (name === 'latencyMs' || name === 'min' || name === 'max') return dice.below(40);
  if (type === 'integer' || type === 'number') return (minimum ?? 0) + dice.below(50);
  if (type === 'boolean') return dice.chance(0.5);
  return type === 'string' ? textLike(dice, name, schema) : anyValue(dice, depth);
}

function anyValue(dice: Dice, depth: number): unknown {
  const inner = (): unknown => (depth < 4 ? anyValue(dice, depth + 1) : null);
  return dice.pick<() => unknown>([
    () => null,
    () => dice.chance(0.5),
    () => dice.pick([0, -1, 1.5, 2 ** 53, 1e308, -0]),
    () => dice.pick(words),
    () => [inner(), inner()],
    () => ({ [dice.pick(words)]: inner(), [dice.pick(['name', 'type', 'spec', 'chart', 'metadata'])]: inner() }),
    () => 'y'.repeat(dice.below(3000)),
  ])();
}

function textLike(dice: Dice, name: string, schema: Schema): string {
  const choices = schema.enum as readonly string[] | undefined;
  if (choices) return String(dice.pick(choices));
  if (name === 'timeoutMs') return String(dice.below(60));
  if (schema.type === 'integer') return String(dice.below(600));
  if (name === 'user_name') return dice.pick(['ada', 'bob', 'ada@example.com', 'dave', 'finn', 'gus', '']);
  if (name === 'password') return dice.pick(['ada-password', 'bob-password', 'dave-password', '']);
  if (name === 'redirect_to') return dice.pick(targets);
  if (name === 'route') return dice.pick(['listEmails', 'GET /user', 'GET /user/clusters?all=true', 'nope']);
  return dice.pick(words);
}

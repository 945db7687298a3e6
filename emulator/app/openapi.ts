// Generates the OpenAPI 3.1 document from the routes.

import type { Schema } from '../store/compile.ts';
import type { Json, JsonObject } from '../store/json.ts';
import { answersOf } from './answers.ts';
import { type AnswerRule, isService, type Route, type Space, spacePaths } from './route.ts';

export interface DocumentOptions {
  readonly space: Space;
  /** The URL of the emulator without a trailing slash. */
  readonly base: string;
  readonly version: string;
}

interface Components {
  readonly responses: Record<string, Json>;
  readonly schemas: Record<string, Json>;
}

/** Returns the OpenAPI 3.1 document for the routes of one space. Schemas with a title and common errors become components. */
export function documentRoutes(routes: readonly Route[], { space, base, version }: DocumentOptions): JsonObject {
  const described = routes.filter((route) => (space === 'api' ? isService(route) : route.space === space));
  const components: Components = { responses: {}, schemas: {} };
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of described) {
    const operations = paths[route.path] ?? {};
    const servers = (route.space ?? 'api') === space ? {} : { servers: [{ url: base }] };
    operations[route.method.toLowerCase()] = { ...operation(route, components), ...servers };
    paths[route.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: space === 'control' ? 'drydock: control of the emulator' : 'drydock: the authenticated-user API, emulated',
      version,
      description: 'Made from the table of routes of the emulator.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base + spacePaths[space], description: 'This emulator' }],
    tags: [...new Set(described.map((route) => route.section))].map((name) => ({
      name,
      description: sections[name] ?? `${name}.`,
    })),
    paths,
    components: { securitySchemes, ...components },
  };
}

const sections: Readonly<Record<string, string>> = {
  About: 'The version of the service, and this document.',
  'Access tokens': 'Tokens of a person, listed and issued by login and password.',
  Application: 'Custom routes of the application.',
  'Cloud credentials': 'Credentials of cloud providers, and the buckets that they open.',
  Clusters: 'Clusters that the caller owns, or can reach through organizations.',
  'Current user and session': 'The current user, sign-in methods and sign-out.',
  'Deployment orders': 'Orders of Helm charts: stored, rendered, and as install scripts.',
  Emails: 'The e-mail addresses of the caller.',
  'Inbox subscriptions':
    'Inbox notifications of the caller, for organizations, clusters, namespaces and single resources.',
  'Messaging credentials': 'Credentials of the messaging system, and the resource history of clusters.',
  'Organizations and teams': 'Organizations, and the teams of the caller.',
  'Sign-in': 'The page to sign in on, and sign-in through organizations.',
  'Social follow': 'Who follows whom.',
  Validation: 'Whether a name or an address could be taken.',
};

const securitySchemes: JsonObject = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`token <ACCESS_TOKEN>`, or `Bearer`' },
  tokenQuery: { type: 'apiKey', in: 'query', name: 'token' },
  accessTokenQuery: { type: 'apiKey', in: 'query', name: 'access_token' },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'What `POST /user/login` sets' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The value of the cookie `_csrf`' },
  basic: { type: 'http', scheme: 'basic' },
};

/** Returns the security requirements of a route: a token, or a session with its CSRF token for changes. */
function securityOf({ access, method }: Route): readonly JsonObject[] {
  if (access === 'public') return [];
  if (access === 'basic') return [{ basic: [] }];
  const session = method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  const known = [{ token: [] }, { tokenQuery: [] }, { accessTokenQuery: [] }, session];
  return access === 'optional' ? [{}, ...known] : known;
}

function operation(route: Route, components: Components): JsonObject {
  const { schemas } = components;
  const parameters: Json[] = [];
  for (const [name, description] of Object.entries(route.params ?? {})) {
    parameters.push({ name, in: 'path', required: true, description, schema: { type: 'string' } });
  }
  for (const [name, { description, schema }] of Object.entries(route.query ?? {})) {
    parameters.push({ name, in: 'query', required: false, description, schema: hoist(schema, schemas) });
  }
  const responses: Record<string, Json> = {};
  for (const [status, rule] of Object.entries(answersOf(route))) responses[status] = response(rule, components);
  const { body } = route;
  const form = body?.form ? ['application/x-www-form-urlencoded'] : [];
  const example = body?.example === undefined ? {} : { example: body.example };
  const content =
    body &&
    Object.fromEntries(
      ['application/json', ...form].map((type) => [type, { schema: hoist(body.schema, schemas), ...example }]),
    );
  return {
    operationId: route.name,
    tags: [route.section],
    summary: route.summary,
    description: `${route.emulation}.`,
    security: securityOf(route),
    parameters,
    ...(body && { requestBody: { description: body.description, required: !body.optional, content: content as Json } }),
    responses,
  };
}

function response(rule: AnswerRule, { responses, schemas }: Components): JsonObject {
  if (rule.component !== undefined) {
    const { component, ...described } = rule;
    responses[component] ??= response(described, { responses, schemas });
    return { $ref: `#/components/responses/${component}` };
  }
  const headers = Object.fromEntries((rule.headers ?? []).map((name) => [name, { schema: { type: 'string' } }]));
  const content: Record<string, Json> = {};
  if (rule.schema) content['application/json'] = { schema: hoist(rule.schema, schemas) };
  if (rule.type) content[rule.type.split(';')[0] ?? ''] = { schema: { type: 'string' } };
  return {
    description: rule.description,
    ...(rule.headers && { headers }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

// What the key of a component may be.
const componentName = /^[\w.-]+$/;

// Keywords that hold values, whose titles are data.
const valueKeywords = ['const', 'default', 'enum', 'example', 'examples'];

// Moves every schema whose title can be a key to the components and replaces it with a reference; another one with the same title stays.
function hoist(schema: Schema, schemas: Record<string, Json>): JsonObject {
  const inner: Record<string, Json> = {};
  const fill = (): void => {
    for (const [key, value] of Object.entries(schema))
      inner[key] = valueKeywords.includes(key) ? value : hoistValue(value, schemas);
  };
  const { title } = schema;
  if (typeof title !== 'string' || !componentName.test(title)) {
    fill();
    return inner;
  }
  // Before the schemas in it.
  schemas[title] ??= inner;
  fill();
  const isThere = JSON.stringify(schemas[title]) === JSON.stringify(inner);
  return isThere ? { $ref: `#/components/schemas/${title}` } : inner;
}

function hoistValue(value: Json, schemas: Record<string, Json>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hoistValue(item as Json, schemas));
  return hoist(value as Schema, schemas);
}

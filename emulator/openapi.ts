// The OpenAPI document of the API, with examples from the seed.

import { having, optional, text } from '../render/core/arguments.ts';
import { documentRoutes } from './app/openapi.ts';
import { addressOf, type Route } from './app/route.ts';
import { checkArguments } from './core/arguments.ts';
import { trimSlashes } from './core/base-url.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
import type { Json, JsonObject } from './store/json.ts';

/** Options for `openApiDocument`. */
export interface OpenApiOptions extends Pick<EmulatorOptions, 'routes' | 'hosted'> {
  /** Base URL of the server in the document, without `/api/v1`. Default `http://127.0.0.1:4010`. */
  readonly url?: string | undefined;
}

const openApiOptions = having<OpenApiOptions>('an object', { url: optional(text) });

// A time that matches the seed data.
const now = '2025-05-02T09:00:00Z';

// Path parameters used in examples.
const samples: Readonly<Record<string, string>> = {
  username: 'bob',
  orgname: 'harbor',
  credName: 'aws-main',
  owner: 'harbor',
  cluster: 'prod-eu',
  ns: 'shop',
};

/**
 * Returns the OpenAPI 3.1 document of the API and of custom routes. Responses have examples from the bundled seed. Rejects with an
 * `EmulatorError` (SETTING_INVALID, ROUTE_INVALID, ARGUMENT_INVALID) for invalid options.
 *
 * @example
 * const document = await openApiDocument({ url: 'https://platform.example.com', routes: [getWeather] });
 */
export async function openApiDocument(options: OpenApiOptions = {}): Promise<Readonly<Record<string, unknown>>> {
  checkArguments('openApiDocument', ['options', options, openApiOptions]);
  const { url = 'http://127.0.0.1:4010', ...rest } = options;
  const base = trimSlashes(url);
  const emulator = createEmulator({ ...rest, now, publicUrl: base });
  const { routes, settings } = emulator;
  const document = documentRoutes(routes, { space: 'api', base, version: settings.version });
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  for (const route of routes) {
    const operation = paths[route.path]?.get;
    const content = (operation?.responses as Answers | undefined)?.['200']?.content?.['application/json'];
    if (route.method !== 'GET' || operation?.operationId !== route.name || content === undefined) continue;
    const example = await exampleOf(emulator, route);
    if (example !== undefined) content.example = example;
  }
  return document;
}

type Answers = Readonly<Record<string, { readonly content?: Readonly<Record<string, Record<string, Json>>> }>>;

// Tries each user until one gets an example with content. The OpenAPI document is not used as its own example.
async function exampleOf(emulator: Emulator, route: Route): Promise<Json | undefined> {
  if (route.name.startsWith('getOpenApi')) return undefined;
  const path = addressOf(route).replace(/\{(\w+)\}/g, (braces, name: string) => samples[name] ?? braces);
  if (path.includes('{')) return undefined;
  for (const { token } of emulator.users()) {
    const answer = await emulator.fetch(path, { headers: { Authorization: `token ${token}` } });
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) continue;
    const example = (await answer.json()) as Json;
    if (!Array.isArray(example)) return example;
    if (example.length > 0) return example.slice(0, 2) as Json;
  }
  return undefined;
}

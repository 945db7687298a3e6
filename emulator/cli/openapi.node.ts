// The command `openapi`: prints the OpenAPI document of the API, with examples from the seed data.

import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandIo } from '../../render/cli/io.ts';
import { openApiDocument } from '../app/openapi.ts';
import { addressOf, type Route } from '../app/route.ts';
import { trimSlashes } from '../core/base-url.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../emulator.ts';
import type { Json, JsonObject } from '../store/json.ts';
import { readRoutes } from './routes.node.ts';

/** Runs `openapi` and returns the exit code. Throws UsageError, EmulatorError. */
export async function openapiCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  if (flags.args.length > 0) throw new UsageError(`"drydock openapi" takes no arguments, not "${flags.args[0]}"`);
  const routes = await readRoutes(flags.list('routes'), io.cwd);
  const base = trimSlashes(flags.text('url') ?? 'http://127.0.0.1:4010');
  if (!URL.canParse(base))
    throw new UsageError(`--url ${base}: is no address; give one such as https://platform.example.com`);
  const document = await apiDocument({ routes, hosted: flags.on('hosted') }, base);
  io.stdout(`${JSON.stringify(document, null, 2)}\n`);
  return 0;
}

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

/** Returns the OpenAPI document of the API. Responses have examples from the seed data. */
export async function apiDocument(
  options: Pick<EmulatorOptions, 'routes' | 'hosted'>,
  base = 'http://127.0.0.1:4010',
): Promise<JsonObject> {
  const emulator = createEmulator({ ...options, now, publicUrl: base });
  const { routes, settings } = emulator;
  const document = openApiDocument(routes, { space: 'api', base, version: settings.version });
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

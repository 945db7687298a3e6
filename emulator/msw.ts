// The entry point `drydock/emulator/msw`, the emulator as handlers of msw: one for everything, and one per route to override a single endpoint.

import { type HttpHandler, HttpResponse, http } from 'msw';
import { optionsOf, text } from '../render/core/arguments.ts';
import { belowPattern, escapeSegment, routesPattern, sharedPatterns, worldPattern } from './app/address-patterns.ts';
import { addressOf, type Route, sharedSite, spacePaths } from './app/route.ts';
import { checkArguments, emulatorArgument } from './core/arguments.ts';
import { trimSlashes } from './core/base-url.ts';
import { EmulatorError } from './core/errors.ts';
import type { Emulator } from './emulator.ts';
import { fromRequest, type LinkPrefixes, toResponse } from './web.ts';

/** Which requests the handlers answer. */
export interface HandlerOptions {
  /**
   * The base URL of the application's requests, without `/api/v1`, such as `https://platform.example.com` or
   * `https://example.com/platform`: everything below it belongs to the emulator or, on the page's own origin, everything below `/api/v1`
   * and the sign-in. Default `*`: the routes of the API, the sign-in and the control routes at any origin.
   */
  readonly baseUrl?: string;
}

/** The emulator's place in the address space of an application. */
interface Place {
  readonly pattern: string;
  readonly prefix: string;
  /** Whether the application has its own paths there, such as `/avatars`. */
  readonly shared: boolean;
}

const handlerOptions = optionsOf<HandlerOptions>({ baseUrl: text });

/**
 * Returns handlers for the service's addresses, for `setupServer` or `setupWorker`. Requests to other addresses are passed through. Throws
 * an `EmulatorError` (SETTING_INVALID) for an invalid `baseUrl`.
 */
export function mswHandlers(emulator: Emulator, options: HandlerOptions = {}): readonly HttpHandler[] {
  checkArguments('mswHandlers', ['emulator', emulator, emulatorArgument], ['options', options, handlerOptions]);
  const { shared, prefix, pattern } = placeOf(options.baseUrl);
  const { routes } = emulator;
  const at = (path: string): RegExp => new RegExp(`^${pattern}${path}$`);
  const handle = (path: string, links: LinkPrefixes, method: typeof http.all = http.all): HttpHandler =>
    method(at(path), (call) => answer(emulator, call, links));
  const api = worldPattern + belowPattern(spacePaths.api);
  const control = worldPattern + belowPattern(spacePaths.control);
  if (!shared) {
    const root = worldPattern + routesPattern(routes, ({ space }) => space === 'root');
    const site = http.all(at(root), (call) => answerKnown(emulator, call, prefix));
    return [handle(api, { prefix }), handle(control, { prefix }), site];
  }
  const { service, signIn, site } = sharedPatterns(routes);
  const links = { prefix, sitePrefix: sharedSite };
  // At an explicit origin, all of `/api/v1` belongs to the emulator: an unknown address there is a 404.
  const isNamed = options.baseUrl !== undefined && options.baseUrl !== '*';
  return [
    handle(site, { prefix: sharedSite }),
    handle(service, links),
    handle(signIn, links, http.post),
    ...(isNamed ? [handle(api, links)] : []),
  ];
}

/**
 * Returns a handler for each route of the API by the route's name, for `server.use` or for serving only some endpoints. Put your own
 * handler for an endpoint before those of `mswHandlers`. Throws as `mswHandlers` does.
 */
export function mswRouteHandlers(
  emulator: Emulator,
  options: HandlerOptions = {},
): Readonly<Record<string, HttpHandler>> {
  checkArguments('mswRouteHandlers', ['emulator', emulator, emulatorArgument], ['options', options, handlerOptions]);
  const { baseUrl } = options;
  const { prefix, shared } = placeOf(baseUrl);
  const base = trimSlashes(baseUrl ?? '*');
  const handlers: Record<string, HttpHandler> = {};
  for (const route of emulator.routes) {
    const details = shared ? { prefix, sitePrefix: sharedSite } : { prefix };
    const method = { GET: http.get, POST: http.post, PUT: http.put, PATCH: http.patch, DELETE: http.delete }[
      route.method
    ];
    handlers[route.name] = method(base + pathOf(route), (call) => answer(emulator, call, details));
  }
  return handlers;
}

function placeOf(baseUrl: string | undefined): Place {
  const base = baseUrl ?? '*';
  if (base === '*') return { pattern: '[a-z][a-z0-9+.-]*://[^/]*', prefix: '', shared: true };
  let url: URL;
  try {
    url = new URL(base);
  } catch {
    const hint = 'give an address such as https://platform.example.com, or * for any origin';
    throw new EmulatorError('SETTING_INVALID', [
      { path: 'baseUrl', message: `${JSON.stringify(base)} is not a URL`, hint },
    ]);
  }
  const prefix = trimSlashes(url.pathname);
  return {
    pattern: escapeSegment(url.origin + prefix),
    prefix,
    shared: url.origin === pageOrigin() && prefix === '',
  };
}

// The origin of the page; empty in Node.
function pageOrigin(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return location?.origin?.startsWith('http') ? location.origin : undefined;
}

// In msw's path syntax.
function pathOf(route: Route): string {
  return addressOf(route).replace(/\{(\w+)\}/g, ':$1');
}

interface Caught {
  readonly request: Request;
}

// Outside the API an application may have the same paths: addresses unknown to the emulator are passed through.
async function answerKnown(emulator: Emulator, caught: Caught, prefix: string): Promise<Response | undefined> {
  const response = await answer(emulator, caught, { prefix });
  return response.status === 404 ? undefined : response;
}

async function answer(emulator: Emulator, { request }: Caught, details: LinkPrefixes): Promise<Response> {
  const { document: page } = globalThis as { readonly document?: { readonly cookie: string } };
  const inPage = page !== undefined;
  const cookie = inPage && sendsCookies(request) ? page.cookie : '';
  const outgoing = await emulator.answer(
    fromRequest(request, { ...details, body: () => hiddenBody(request), ...(cookie !== '' && { cookie }) }),
  );
  if (outgoing.drop) return HttpResponse.error();
  const sent = outgoing.headers['Set-Cookie'];
  // In a page only msw's own response can carry Set-Cookie. In Node it would fill a cookie jar shared by all tests.
  if (!inPage || sent === undefined) return toResponse(outgoing, request.method);
  // It sets `document.cookie`, which does not accept HttpOnly cookies.
  const readable = [sent].flat().map((line) => line.replace('; HttpOnly', ''));
  const headers = { ...outgoing.headers, 'Set-Cookie': readable };
  return toResponse({ ...outgoing, headers }, request.method, HttpResponse as unknown as typeof Response);
}

function sendsCookies({ credentials, url }: Request): boolean {
  return credentials === 'include' || (credentials === 'same-origin' && new URL(url).origin === pageOrigin());
}

// A Request has no body for a GET; the interceptor stores what node:http sent with one under a symbol.
async function hiddenBody(request: Request): Promise<Uint8Array | undefined> {
  const symbol = Object.getOwnPropertySymbols(request).find((key) => key.description === 'kRawRequestBodyStream');
  const stream = symbol && (Reflect.get(request, symbol) as AsyncIterable<Uint8Array> | undefined);
  if (!stream) return undefined;
  return new Uint8Array(await new Response(new Blob(await all(stream))).arrayBuffer());
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<BlobPart[]> {
  const chunks: BlobPart[] = [];
  for await (const chunk of stream) chunks.push(Uint8Array.from(chunk));
  return chunks;
}

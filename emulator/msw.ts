// The door `drydock/emulator/msw`, the emulator as handlers of msw: one that catches everything, and one per route for whoever overrides a single endpoint.

import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Emulator } from './emulator.ts';
import { addressOf, type Route, spacePaths } from './http/route.ts';
import { fromRequest, toResponse } from './web.ts';

/** Says which requests the handlers answer. */
export interface HandlerOptions {
  /** The address that the application calls, without `/api/v1`, such as `https://platform.example.com`. Default: any. */
  readonly baseUrl?: string;
}

/**
 * Gives the one handler that answers every address of the service, for `setupServer` or `setupWorker`.
 * Requests to other addresses pass by.
 */
export function mswHandlers(emulator: Emulator, { baseUrl = '*' }: HandlerOptions = {}): readonly HttpHandler[] {
  const base = trimSlash(baseUrl);
  const spaces = [`${spacePaths.api}/*`, `${spacePaths.control}/*`, '/@*'];
  const rest = emulator.routes.filter((route) => route.space === 'root').map(pathOf);
  return [
    ...spaces.map((path) => http.all(base + path, ({ request }) => answer(emulator, request))),
    ...rest.map((path) => http.all(base + path, ({ request }) => answerKnown(emulator, request))),
  ];
}

/**
 * Gives one handler per route of the API by the route's name, for `server.use` or for serving a few endpoints only.
 * An own handler for one endpoint goes in front of those of `mswHandlers`.
 */
export function mswRouteHandlers(
  emulator: Emulator,
  { baseUrl = '*' }: HandlerOptions = {},
): Readonly<Record<string, HttpHandler>> {
  const base = trimSlash(baseUrl);
  const handlers: Record<string, HttpHandler> = {};
  for (const route of emulator.routes) handlers[route.name] = routeHandler(emulator, route, base);
  return handlers;
}

function routeHandler(emulator: Emulator, route: Route, base: string): HttpHandler {
  const method = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete }[route.method];
  return method(base + pathOf(route), ({ request }) => answer(emulator, request));
}

// As msw writes paths.
function pathOf(route: Route): string {
  return addressOf(route).replace(/\{(\w+)\}/g, ':$1');
}

// Outside the API an application may have the same paths: what the emulator does not know there passes by.
async function answerKnown(emulator: Emulator, request: Request): Promise<Response | undefined> {
  const response = await answer(emulator, request);
  return response.status === 404 ? undefined : response;
}

async function answer(emulator: Emulator, request: Request): Promise<Response> {
  const outgoing = await emulator.answer(fromRequest(request, () => hiddenBody(request)));
  if (outgoing.drop) return HttpResponse.error();
  // In a page only msw's own response can carry Set-Cookie. In Node it would feed a cookie jar that all tests share.
  const inPage = 'document' in globalThis && 'Set-Cookie' in outgoing.headers;
  return toResponse(outgoing, request.method, inPage ? (HttpResponse as unknown as typeof Response) : Response);
}

// A Request holds no body for a GET; what node:http sent with one, the interceptor keeps under a symbol.
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

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

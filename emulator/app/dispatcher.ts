// From a request to its response: the list of middleware.

import { affectResponse, injectFaults } from './faults.ts';
import type { Incoming, Outgoing } from './message.ts';
import {
  authorize,
  checkInput,
  checkOrigin,
  checkResponse,
  convertFailures,
  enterWorld,
  type Handler,
  handle,
  honorPreference,
  logRequest,
  persistChanges,
  resolveRoute,
  setHeaders,
} from './middleware.ts';
import { type AppContext, createRequestContext, type RequestContext } from './request-context.ts';
import { createRouter } from './router.ts';

// Outermost first. Those before `convertFailures` get a response in any case; after it, a refusal is an exception.
const respond = start<RequestContext, Outgoing>()
  .use(logRequest)
  .use(setHeaders)
  .use(affectResponse)
  .use(convertFailures)
  .use(resolveRoute)
  .use(checkOrigin)
  .use(enterWorld)
  .use(injectFaults)
  .use(honorPreference)
  .use(authorize)
  .use(persistChanges)
  .use(checkResponse)
  .use(checkInput)
  .handle(handle);

/** Returns the function that answers requests; it never fails. */
export function createDispatcher(
  options: Omit<AppContext, 'findRoutes' | 'nextRequestId'>,
): (incoming: Incoming) => Promise<Outgoing> {
  let count = 0;
  const nextRequestId = (): string => `drydock-${++count}`;
  const app: AppContext = { ...options, findRoutes: createRouter(options.routes), nextRequestId };
  return (incoming) => respond(createRequestContext(app, incoming));
}

/** A list of middleware that turns `Context` into `Result`; the next one gets `Inner` and returns `InnerResult`. */
interface MiddlewareList<Context, Result, Inner, InnerResult> {
  /** Adds a middleware, which passes an extended context to the next one and gets its result. */
  use<Next, NextResult>(
    middleware: (context: Inner, next: Handler<Next, NextResult>) => Promise<InnerResult>,
  ): MiddlewareList<Context, Result, Next, NextResult>;
  /** Ends the list. */
  handle(handler: Handler<Inner, InnerResult>): Handler<Context, Result>;
}

function start<Context, Result>(): MiddlewareList<Context, Result, Context, Result> {
  return listOf((handler) => handler);
}

function listOf<Context, Result, Inner, InnerResult>(
  wrap: (handler: Handler<Inner, InnerResult>) => Handler<Context, Result>,
): MiddlewareList<Context, Result, Inner, InnerResult> {
  return {
    use: (middleware) => listOf((next) => wrap((context) => middleware(context, next))),
    handle: wrap,
  };
}

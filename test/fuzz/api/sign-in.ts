// Generates complete sign-ins over HTTP: each step uses the previous response, as a browser would, and some are broken. Errors are selected
// before the first step, so that the same seed generates the same sign-in.

import type { Dice } from '../../support/dice.ts';
import type { GeneratedRequest } from './requests.ts';

/** The state of a browser: its cookies by name, and the target of the last redirect. */
export interface BrowserState {
  readonly cookies: Map<string, string>;
  location: string;
}

/** One step: the next request for a state. */
export type Step = (browser: BrowserState) => GeneratedRequest;

type Mutation = (request: GeneratedRequest) => GeneratedRequest;

const form = 'application/x-www-form-urlencoded';

/** Returns a sign-in by password or through an organization, the requests of its session, and the sign-out. */
export function signInSteps(dice: Dice): readonly Step[] {
  const steps = [...(dice.chance(0.5) ? byPassword(dice) : throughOrganization(dice)), ...inSession(dice)];
  return steps.map((step) => {
    const mutate = dice.chance(0.12) ? mutationOf(dice) : undefined;
    return mutate === undefined ? step : (browser) => mutate(step(browser));
  });
}

function byPassword(dice: Dice): readonly Step[] {
  const login = dice.pick(['ada', 'bob', 'cleo', 'finn', 'gus', 'eve', 'cleo@example.com']);
  const fields = { user_name: login, password: `${login.replace(/@.*/, '')}-password`, redirect_to: '/a' };
  const isForm = dice.chance(0.5);
  return [
    () => asBrowser({ path: '/user/login?redirect_to=%2Fa' }),
    () =>
      asBrowser({
        method: 'POST',
        path: '/user/login',
        type: isForm ? form : 'application/json',
        body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
      }),
  ];
}

function throughOrganization(dice: Dice): readonly Step[] {
  const provider = dice.pick(['org-1001', 'org-1001', 'org-1005', 'org-1002', 'org-7']);
  const user = dice.pick(['bob', 'cleo', 'eve', 'hana', 'nobody']);
  const choice: Readonly<Record<string, string>> = dice.chance(0.9) ? { user } : { cancel: '1' };
  const path = `/user/oauth2/${provider}`;
  return [
    () => asBrowser({ path: `${path}?redirect_to=/a` }),
    ({ location, cookies }) => asBrowser({ path: location || path, cookies }),
    ({ location, cookies }) => {
      const { searchParams } = new URL(location || path, 'http://localhost');
      const [state, redirect_uri] = [searchParams.get('state') ?? '', searchParams.get('redirect_uri') ?? ''];
      const body = new URLSearchParams({ state, redirect_uri, ...choice }).toString();
      return asBrowser({ method: 'POST', path: `${path}/authorize`, type: form, body, cookies });
    },
    ({ location, cookies }) => asBrowser({ path: location || `${path}/callback`, cookies }),
  ];
}

function inSession(dice: Dice): readonly Step[] {
  const sendsToken = dice.chance(0.8);
  const method = dice.chance(0.5) ? 'POST' : 'DELETE';
  const body = JSON.stringify({ emails: [`sign-in-${dice.below(50)}@example.com`] });
  return [
    ({ cookies }) => asBrowser({ path: '/api/v1/user', cookies }),
    ({ cookies }) => {
      const csrf = sendsToken ? cookies.get('_csrf') : undefined;
      return asBrowser({ method, path: '/api/v1/user/emails', type: 'application/json', body, cookies, csrf });
    },
    ({ cookies }) => asBrowser({ path: '/user/login', cookies }),
    ({ cookies }) => asBrowser({ method: 'POST', path: '/user/logout', cookies }),
    ({ cookies }) => asBrowser({ path: '/api/v1/user', cookies }),
  ];
}

/** The parts of a browser's request. */
interface BrowserRequest {
  readonly method?: string;
  readonly path: string;
  readonly cookies?: ReadonlyMap<string, string>;
  readonly csrf?: string | undefined;
  readonly type?: string;
  readonly body?: string;
}

function asBrowser({ method = 'GET', path, cookies, csrf, type, body }: BrowserRequest): GeneratedRequest {
  const cookie = Array.from(cookies ?? [], ([name, value]) => `${name}=${value}`).join('; ');
  return {
    method,
    path,
    headers: {
      Accept: 'text/html,*/*',
      ...(cookie !== '' && { Cookie: cookie }),
      ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    body: body === undefined ? undefined : Buffer.from(body),
    chunked: false,
  };
}

function mutationOf(dice: Dice): Mutation {
  const text = dice.pick(['', 'x', '%zz', '%00', '//evil.example', '='.repeat(300), '0'.repeat(40)]);
  return dice.pick<Mutation>([
    (request) => ({ ...request, path: `${request.path}${text}` }),
    (request) => ({ ...request, path: request.path.replace(/state=[^&]*/, () => `state=${text}`) }),
    (request) => ({ ...request, path: request.path.replace(/code=[^&]*/, () => `code=${text}&error=${text}`) }),
    (request) => ({ ...request, headers: { ...request.headers, Cookie: `session=${text}; oauth2_state=; =;;` } }),
    (request) => ({ ...request, headers: { ...request.headers, Accept: 'application/json' } }),
    (request) => ({ ...request, body: request.body && Buffer.concat([request.body, Buffer.from(`&user=${text}&a`)]) }),
    (request) => ({ ...request, headers: { ...request.headers, Host: 'evil.example' } }),
  ]);
}

/** Applies a response to the browser's state. */
export function receive(
  browser: BrowserState,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): void {
  const { location, 'set-cookie': cookies = [] } = headers;
  browser.location = typeof location === 'string' && location.startsWith('/') ? location : '';
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
}

// Sign-in through an organization, from the URL that `login-method` returns to the session: the service redirects to the organization's
// sign-in with a state; after consent the browser returns with state and code, which create the session.

import { escapeMarkup } from '../../../render/core/page/escape.ts';
import { readCookie, writeCookie } from '../../app/cookies.ts';
import { empty, type Reply } from '../../app/message.ts';
import { missing, Problem, violation } from '../../app/problem.ts';
import { readTarget } from '../../app/redirect.ts';
import { type Call, type CallWith, type Route, routeBuilder } from '../../app/route.ts';
import type { AuthSource } from '../../store/kinds.ts';
import { activeAuthSource, findUser, isMember, isSame, tokenHolders, whyRefused } from '../../store/people.ts';
import type { OrganizationRow, UserRow } from '../../store/rows.ts';
import { signInSeconds } from '../../world/sign-ins.ts';
import { htmlType, pageReply, wantsPage } from '../html.ts';
import { avatarUrl, problemAnswer, textSchema } from '../shapes.ts';
import { beginSession } from './sessions.ts';

const route = routeBuilder({
  space: 'root',
  section: 'Sign-in',
  access: 'public',
  params: { provider: 'From `login-method`, such as org-1001' },
});
const page = { description: 'The page', type: htmlType };
const refusals = {
  400: { ...problemAnswer('The sign-in is not known, or did not begin in this browser'), type: htmlType },
  403: { ...problemAnswer('The person may not sign in, or did not want to'), type: htmlType },
  404: { ...problemAnswer('There is no such way to sign in'), type: htmlType },
  422: { ...problemAnswer('The address to go to, or to come back to, is another site'), type: htmlType },
};
const stateParameter = { description: 'The state issued by the service', schema: textSchema };

// Binds a sign-in to the browser that started it, so that nobody can be made to complete another's.
const stateCookie = 'oauth2_state';

export const providerRoutes: readonly Route[] = [
  route('beginSignInThrough', 'GET /user/oauth2/{provider}', {
    summary: 'Start a sign-in through an organization',
    emulation: 'Redirects to the emulated sign-in page of the organization, with a state that is valid for ten minutes',
    query: {
      redirect_to: {
        description:
          'Where the browser goes at the end: a path, or an address of an origin that may call; `/` without it',
        schema: textSchema,
      },
    },
    answers: {
      303: { description: 'Redirect to the sign-in page', headers: ['Set-Cookie', 'Location'] },
      404: refusals[404],
      422: refusals[422],
    },
    run: (call) => asPage(call, () => begin(call, call.query('redirect_to') ?? '')),
  }),
  route('getConsentPage', 'GET /user/oauth2/{provider}/authorize', {
    summary: 'Show the emulated sign-in page of the organization',
    emulation: 'Lists the users, and why some cannot sign in; one click signs in',
    query: {
      state: stateParameter,
      redirect_uri: { description: 'The callback of the same sign-in', schema: textSchema },
      response_type: { description: '`code`', schema: { type: 'string', enum: ['code'] } },
      client_id: { description: 'The service', schema: textSchema },
    },
    answers: { 200: page, 400: refusals[400], 404: refusals[404], 422: refusals[422] },
    run: (call) =>
      asPage(call, () => {
        const authorization = readAuthorization(call, call.query('state') ?? '', call.query('redirect_uri') ?? '');
        const { organization, source } = authorization.provider;
        const body = consentBody(call, authorization);
        return pageReply(`${source.displayName}: sign in to ${organization.full_name}`, body);
      }),
  }),
  route('agreeToSignIn', 'POST /user/oauth2/{provider}/authorize', {
    summary: 'Sign in as a user at the emulated sign-in page, or cancel',
    emulation: 'Redirects to the callback with state and code, or with `error=access_denied` if `cancel` is sent',
    body: {
      description: 'The state and the user: a form or JSON',
      form: true,
      schema: {
        title: 'ConsentOption',
        type: 'object',
        required: ['state', 'redirect_uri'],
        properties: {
          state: { type: 'string', maxLength: 100 },
          redirect_uri: { type: 'string', maxLength: 2000 },
          user: { type: 'string', maxLength: 254 },
          cancel: { type: 'string' },
        },
      },
    },
    answers: { 303: { description: 'Redirect to the service', headers: ['Location'] }, ...refusals },
    run: (call, { state, redirect_uri, user, cancel }) =>
      asPage(call, () => {
        const authorization = readAuthorization(call, state, redirect_uri);
        const answer =
          cancel === undefined ? { code: agree(call, authorization, user ?? '') } : { error: 'access_denied' };
        return empty(303, { Location: `${authorization.redirectUri}?${new URLSearchParams({ state, ...answer })}` });
      }),
  }),
  route('endSignInThrough', 'GET /user/oauth2/{provider}/callback', {
    writes: true,
    summary: 'Complete the sign-in and start a session',
    emulation: 'State and code are valid once, in the browser that started; then as `POST /user/login`',
    query: {
      state: stateParameter,
      code: { description: 'The code issued by the sign-in', schema: textSchema },
      error: { description: 'The reason why there is no code', schema: textSchema },
    },
    answers: { 303: { description: 'Signed in', headers: ['Set-Cookie', 'Location'] }, ...refusals },
    run: (call) => asPage(call, () => end(call)),
  }),
];

type ProviderCall = CallWith<'provider'> & Call;

function begin(call: ProviderCall, wanted: string): Reply {
  const { world, params, prefix } = call;
  const { organization } = findProvider(call, params.provider);
  const target = wanted === '' ? `${prefix}/` : readTarget('redirect_to', wanted, call);
  const state = world.signIns.begin({ organization: organization.id, target }, world.clock.now());
  const query = new URLSearchParams({
    client_id: 'drydock',
    response_type: 'code',
    redirect_uri: callbackOf(call, organization),
    state,
  });
  return empty(303, {
    'Set-Cookie': [writeCookie(call, [stateCookie, state], { maxAgeSeconds: signInSeconds })],
    Location: `${prefix}${providerPath(organization)}/authorize?${query}`,
  });
}

function callbackOf({ prefix }: Call, organization: { readonly id: number }): string {
  return `${prefix}${providerPath(organization)}/callback`;
}

interface AuthorizationRequest {
  readonly provider: Provider;
  readonly state: string;
  readonly redirectUri: string;
}

function readAuthorization(call: ProviderCall, state: string, redirectUri: string): AuthorizationRequest {
  const provider = findProvider(call, call.params.provider);
  const { world } = call;
  const signIn = world.signIns.find(state, world.clock.now());
  if (signIn?.organization !== provider.organization.id) throw unknownSignIn();
  // A code is sent to the service only.
  const callback = callbackOf(call, provider.organization);
  if (redirectUri !== callback) {
    throw violation(`redirect_uri: ${JSON.stringify(redirectUri.slice(0, 100))} is not ${JSON.stringify(callback)}`);
  }
  return { provider, state, redirectUri };
}

function unknownSignIn(): Problem {
  return new Problem(400, 'This sign-in is not known, is over, or took longer than ten minutes: begin again.');
}

function agree(call: Call, { provider, state }: AuthorizationRequest, login: string): string {
  const { store, world } = call;
  if (login === '') throw new Problem(403, 'Nobody was chosen: send the login as `user`.');
  const user = findUser(store, login);
  if (!user) throw new Problem(403, `There is no user ${JSON.stringify(login)}.`);
  const refusal = whyNotThrough(call, provider.organization, user);
  if (refusal !== undefined) throw new Problem(403, refusal);
  const code = world.signIns.agree(state, user.id, world.clock.now());
  if (code === undefined) throw unknownSignIn();
  return code;
}

function end(call: ProviderCall): Reply {
  const { world, store, params } = call;
  const { organization } = findProvider(call, params.provider);
  const state = call.query('state') ?? '';
  const began = readCookie(call.header('cookie'), stateCookie) ?? '';
  if (began === '' || !isSame(began, state)) {
    throw new Problem(400, 'This sign-in did not begin in this browser: begin again.');
  }
  const signIn = world.signIns.end(state, call.query('code') ?? '', world.clock.now());
  const error = call.query('error') ?? '';
  if (error !== '') throw new Problem(403, `The sign-in was refused: ${error.slice(0, 100)}.`);
  if (signIn?.organization !== organization.id) throw unknownSignIn();
  const user = store.user.get(signIn.user);
  const refusal = user ? whyNotThrough(call, organization, user) : 'The person is not there any more.';
  if (!user || refusal !== undefined) throw new Problem(403, refusal ?? '');
  const cleared = writeCookie(call, [stateCookie, ''], { maxAgeSeconds: 0 });
  return empty(303, { 'Set-Cookie': [...beginSession(call, user), cleared], Location: signIn.target });
}

// Errors on pages are shown on a page, with a link to start again.
function asPage(call: ProviderCall, run: () => Reply): Reply {
  try {
    return run();
  } catch (failure) {
    if (!(failure instanceof Problem) || !wantsPage(call)) throw failure;
    const again = `<p><a href="${escapeMarkup(`${call.prefix}/user/login`)}">Back to the page to sign in on</a></p>`;
    const body = `<p role="alert">${escapeMarkup(failure.message)}</p>${again}`;
    return pageReply('Not signed in', body, failure.status);
  }
}

// The page that replaces an organization's own sign-in: all known people, each selectable with one click.

/** Returns why a person cannot sign in through an organization, or undefined. */
function whyNotThrough(
  { store }: Pick<Call, 'store'>,
  organization: OrganizationRow,
  user: UserRow,
): string | undefined {
  if (isMember(store, organization.id, user.id)) return whyRefused(user);
  const stranger = `Is not a member of ${organization.full_name}.`;
  const refusal = whyRefused(user);
  return refusal === undefined ? stranger : `${refusal} ${stranger}`;
}

function consentBody(call: Call, { provider, state, redirectUri }: AuthorizationRequest): string {
  const { organization, source } = provider;
  const hidden = `<input type="hidden" name="state" value="${escapeMarkup(state)}"><input type="hidden" name="redirect_uri" value="${escapeMarkup(redirectUri)}">`;
  const question = `${escapeMarkup(organization.full_name)} signs its members in through ${escapeMarkup(source.displayName)}.`;
  return [
    `<p>${question} This page stands in for it: choose who you are.</p>`,
    `<form method="post">${hidden}`,
    `<ul>${peopleOf(call, organization)
      .map((user) => personRow(call, organization, user))
      .join('\n')}</ul>`,
    '<button name="cancel" value="true">Cancel</button>',
    '</form>',
  ].join('\n');
}

// Members first, then others who can sign in at all.
function peopleOf({ store }: Call, organization: OrganizationRow): readonly UserRow[] {
  const holders = new Set(tokenHolders(store).map(({ login }) => login));
  const everyone = store.user.all();
  const members = everyone.filter((user) => isMember(store, organization.id, user.id));
  const others = everyone.filter((user) => user.password !== '' || holders.has(user.login));
  return [...new Set([...members, ...others])];
}

function personRow(call: Call, organization: OrganizationRow, user: UserRow): string {
  const { login, full_name } = user;
  const refusal = whyNotThrough(call, organization, user);
  const about = [user.description, refusal].filter((text) => text !== undefined && text !== '').join('. ');
  const picture = `<img src="${escapeMarkup(avatarUrl(call, login))}" alt="">`;
  const name = `<span>${escapeMarkup(full_name)} <code>${escapeMarkup(login)}</code><br><small>${escapeMarkup(about.replaceAll('..', '.'))}</small></span>`;
  const off = refusal === undefined ? '' : ' disabled';
  const label = `aria-label="Sign in as ${escapeMarkup(login)}"`;
  return `<li>${picture}${name}<button name="user" value="${escapeMarkup(login)}" ${label}${off}>Sign in</button></li>`;
}

/** Returns the URL at which signing in through an organization starts, as in `login-method`. */
export function providerPath({ id }: Pick<OrganizationRow, 'id'>): string {
  return `/user/oauth2/org-${id}`;
}

export interface Provider {
  readonly organization: OrganizationRow;
  readonly source: AuthSource;
}

/** Returns the provider with a name such as `org-1001`. Throws a 404 `Problem` if there is none, or it is inactive. */
export function findProvider({ store }: Pick<Call, 'store'>, name: string): Provider {
  const id = Number(/^org-([1-9]\d{0,14})$/.exec(name)?.[1] ?? 0);
  const organization = store.organization.get(id);
  const source = organization && activeAuthSource(organization);
  if (organization && source) return { organization, source };
  const why = organization ? `${organization.full_name} has no active way to sign in` : 'it does not exist';
  throw missing(`Cannot sign in through ${JSON.stringify(name)}: ${why}.`);
}

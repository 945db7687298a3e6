// Sign-in with a password, as a form or as JSON, and its page.

import { escapeMarkup } from '../../../render/core/page/escape.ts';
import { cookieNames, readSessionKey } from '../../app/cookies.ts';
import { empty, ok, type Reply } from '../../app/message.ts';
import { Problem } from '../../app/problem.ts';
import { readTarget } from '../../app/redirect.ts';
import { type Call, type Route, routeBuilder } from '../../app/route.ts';
import {
  activeAuthSource,
  enforcingOrganization,
  findSession,
  findUserByLoginOrEmail,
  hasPassword,
  whyRefused,
} from '../../store/people.ts';
import type { UserRow } from '../../store/rows.ts';
import { htmlType, pageReply, wantsPage } from '../html.ts';
import { formatUser, problemAnswer, textSchema, userSchema } from '../shapes.ts';
import { providerPath } from './provider.ts';
import { beginSession, endSession } from './sessions.ts';

const route = routeBuilder({ space: 'root', section: 'Sign-in', access: 'public' });
const redirectTo = {
  description: 'Where to redirect afterwards: a path, or an address of an allowed origin (default `/`)',
  schema: textSchema,
};

export const passwordRoutes: readonly Route[] = [
  route('getSignInPage', 'GET /user/login', {
    summary: 'Show the sign-in page',
    emulation: 'A plain page without scripts, with links to sign in through organizations',
    query: { redirect_to: redirectTo },
    answers: { 200: { description: 'The page', type: htmlType } },
    run: (call) => signInPage(call, call.query('redirect_to') ?? ''),
  }),
  route('signIn', 'POST /user/login', {
    summary: 'Sign in with name and password, and start a session',
    emulation:
      'The session replaces a token for a day; requests that change something also send the value of the cookie `_csrf` in the header `X-CSRF-Token`',
    query: { redirect_to: redirectTo },
    body: {
      description: 'Login or e-mail address, and password: a form, which gets a redirect, or JSON',
      form: true,
      schema: {
        title: 'SignInOption',
        type: 'object',
        required: ['user_name', 'password'],
        properties: {
          user_name: { type: 'string', minLength: 1, maxLength: 254 },
          password: { type: 'string', maxLength: 1000 },
          redirect_to: { type: 'string', maxLength: 2000 },
        },
      },
    },
    answers: {
      200: { description: 'Signed in, with JSON: the person', schema: userSchema, headers: ['Set-Cookie'] },
      303: { description: 'Signed in, with a form', headers: ['Set-Cookie', 'Location'] },
      401: { ...problemAnswer('Name or password is wrong'), type: htmlType },
      403: { ...problemAnswer('The account may not be used, or not in this way'), type: htmlType },
    },
    run: (call, { user_name, password, redirect_to }) => {
      const wanted = redirect_to || call.query('redirect_to') || '';
      const target = wanted === '' ? `${call.prefix}/` : readTarget('redirect_to', wanted, call);
      const user = admit(call, user_name, password);
      if (user instanceof Problem) {
        if (!wantsPage(call)) throw user;
        return signInPage(call, wanted, { problem: user, name: user_name });
      }
      const cookies = beginSession(call, user);
      if (!isForm(call))
        return ok(formatUser({ store: call.store, siteUrl: call.siteUrl, viewer: user }, user), {
          'Set-Cookie': cookies,
        });
      return empty(303, { 'Set-Cookie': cookies, Location: target });
    },
  }),
  route('signOutOfPage', 'POST /user/logout', {
    summary: 'Sign out: ends the session, clears its cookies and redirects to the sign-in page',
    emulation: 'For pages; programs use `GET /user/signout`',
    answers: { 303: { description: 'Signed out', headers: ['Set-Cookie', 'Location'] } },
    run: (call) => empty(303, { 'Set-Cookie': endSession(call), Location: `${call.prefix}/user/login` }),
  }),
];

// The same message for a wrong name and a wrong password, so that it does not reveal who has an account.
function admit({ store, prefix }: Call, name: string, password: string): UserRow | Problem {
  const user = findUserByLoginOrEmail(store, name);
  if (!hasPassword(user, password)) return new Problem(401, 'Name or password is wrong.');
  const refusal = whyRefused(user);
  if (refusal !== undefined) return new Problem(403, refusal);
  const enforcing = enforcingOrganization(store, user.id);
  if (!enforcing) return user;
  const source = activeAuthSource(enforcing)?.displayName;
  return new Problem(
    403,
    `Members of ${enforcing.full_name} sign in through ${source}: go to ${prefix}${providerPath(enforcing)}.`,
  );
}

function isForm(call: Call): boolean {
  return call.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
}

/** Why the sign-in failed, and the name that was entered, to fill it in again. */
interface Refusal {
  readonly problem: Problem;
  readonly name: string;
}

function signInPage(call: Call, target: string, refusal?: Refusal): Reply {
  const { store, settings, prefix } = call;
  const key = readSessionKey(call.header('cookie'), cookieNames(settings).session);
  const session = key === undefined ? undefined : findSession(store, key);
  const user =
    session && Date.parse(session.expires) > call.world.clock.now() ? store.user.get(session.user) : undefined;
  const query = target === '' ? '' : `?redirect_to=${encodeURIComponent(target)}`;
  const methods = store.organization.all().flatMap((organization) => {
    const source = activeAuthSource(organization);
    if (!source) return [];
    const name = `${source.displayName} (${organization.full_name})`;
    return [
      `<p><a href="${escapeMarkup(prefix + providerPath(organization) + query)}">Sign in through ${escapeMarkup(name)}</a></p>`,
    ];
  });
  const body = [
    user ? signedIn(user, prefix) : '',
    refusal ? `<p role="alert">${escapeMarkup(refusal.problem.message)}</p>` : '',
    `<form method="post" action="${escapeMarkup(`${prefix}/user/login`)}">`,
    `<label>Login or e-mail address<input name="user_name" value="${escapeMarkup(refusal?.name ?? '')}" autocomplete="username" required maxlength="254"${refusal ? '' : ' autofocus'}></label>`,
    `<label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="1000"${refusal ? ' autofocus' : ''}></label>`,
    `<input type="hidden" name="redirect_to" value="${escapeMarkup(target)}">`,
    '<button>Sign in</button>',
    '</form>',
    ...methods,
  ];
  return pageReply('Sign in', body.join('\n'), refusal?.problem.status);
}

function signedIn({ full_name, login }: UserRow, method: string): string {
  const who = `${escapeMarkup(full_name)} (<code>${escapeMarkup(login)}</code>)`;
  const button = `<form method="post" action="${escapeMarkup(`${method}/user/logout`)}"><button>Sign out</button></form>`;
  return `<p>You are signed in as ${who}.</p>${button}`;
}

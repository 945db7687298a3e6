// Current user and session: the caller, sign-out, sign-in methods, the push-messaging token.

import { empty, ok } from '../app/message.ts';
import { Problem } from '../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import type { JsonObject } from '../store/json.ts';
import { activeAuthSource, enforcingOrganization, findOrganization, findUserByLoginOrEmail } from '../store/people.ts';
import type { OrganizationRow } from '../store/rows.ts';
import { formatUser, int64Schema, objectSchema, problemAnswer, textSchema, userSchema } from './shapes.ts';
import { providerPath } from './sign-in/provider.ts';
import { endSession } from './sign-in/sessions.ts';

const route = routeBuilder({ section: 'Current user and session', access: 'token' });

const loginMethodSchema = objectSchema(
  'LoginMethodResponse',
  {
    method: { type: 'string', enum: ['password', 'sso'] },
    orgAuthSourceID: int64Schema,
    providerName: textSchema,
    oauthCallbackPath: textSchema,
    displayName: textSchema,
  },
  ['orgAuthSourceID', 'providerName', 'oauthCallbackPath', 'displayName'],
);

export const sessionRoutes: readonly Route[] = [
  route('getCurrentUser', 'GET /user', {
    summary: 'Read the current user',
    emulation: 'The seeded users; the emulator draws the avatar',
    query: {
      check_client_org: { description: '"true" fills clientOrgUser', schema: textSchema },
    },
    answers: { 200: { description: 'The caller', schema: userSchema } },
    run: (call) => {
      const user = formatUser(call, call.caller);
      if (call.query('check_client_org') !== 'true') return ok(user);
      return ok({ ...user, clientOrgUser: call.caller.clientOrgUser });
    },
  }),
  route('signOut', 'GET /user/signout', {
    summary: 'Clear the session',
    emulation: 'Ends the session and clears its two cookies; tokens stay valid, as they do not depend on a session',
    writes: true,
    answers: { 200: { description: 'Signed out, no body', headers: ['Set-Cookie'] } },
    run: (call) => empty(200, { 'Set-Cookie': endSession(call) }),
  }),
  route('getLoginMethod', 'GET /user/login-method', {
    summary: 'Get the sign-in method of a user or an organization',
    emulation: 'The seeded sign-in sources of the organizations',
    access: 'public',
    query: {
      orgname: { description: 'Organization slug; its active source counts', schema: textSchema },
      username: { description: 'Login or e-mail; sources that are enforced for members count', schema: textSchema },
    },
    answers: {
      200: { description: 'The method', schema: loginMethodSchema },
      400: problemAnswer('Neither orgname nor username is given'),
    },
    run: (call) => ok(loginMethod(call)),
  }),
  route('getCloudmsgToken', 'GET /user/cloudmsg-token', {
    summary: 'Get a token for the push-messaging provider',
    emulation:
      'A custom token signed with RS256; the public key is at /.well-known/jwks.json. Only with the option `hosted`',
    hosted: true,
    answers: {
      200: { description: 'The token', schema: objectSchema('CloudmsgToken', { cloudmsgToken: textSchema }) },
      404: problemAnswer('The deployment is not hosted'),
    },
    run: async ({ world, caller }) => {
      const { cloudmsgToken } = await import('../keys/cloudmsg.ts');
      return ok({ cloudmsgToken: cloudmsgToken(world.seed, caller.login, world.clock.now()) });
    },
  }),
];

function loginMethod(call: Call): JsonObject {
  const { store } = call;
  const [orgname, username] = [call.query('orgname') ?? '', call.query('username') ?? ''];
  if (orgname === '' && username === '') throw new Problem(400, 'orgname or username is required');
  const named = findOrganization(store, orgname);
  const user = findUserByLoginOrEmail(store, username);
  const enforcing = user && enforcingOrganization(store, user.id);
  return (named && singleSignOn(named)) ?? (enforcing && singleSignOn(enforcing)) ?? { method: 'password' };
}

function singleSignOn(organization: OrganizationRow): JsonObject | undefined {
  const source = activeAuthSource(organization);
  if (!source) return undefined;
  return {
    method: 'sso',
    orgAuthSourceID: source.id,
    providerName: source.providerName,
    oauthCallbackPath: providerPath(organization),
    displayName: source.displayName,
  };
}

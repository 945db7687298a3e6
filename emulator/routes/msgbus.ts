// Messaging credentials: NATS credentials files of users and of the admin, and a cluster's resource history.

import { empty, ok } from '../app/message.ts';
import { missing, Problem } from '../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import { encodeBase64 } from '../keys/base64.ts';
import type { JsonObject } from '../store/json.ts';
import { findUser, natsPerson } from '../store/people.ts';
import type { UserRow } from '../store/rows.ts';
import { anyObject, listSchema, objectSchema, problemAnswer, textSchema } from './shapes.ts';

const route = routeBuilder({ section: 'Messaging credentials', access: 'admin' });

const credentialsSchema = objectSchema('MsgbusCredentialsResponse', {
  msgbusEndpoints: listSchema(textSchema),
  credentials: { type: 'string', format: 'byte', description: 'The credentials file, base64' },
});

export const msgbusRoutes: readonly Route[] = [
  route('getMsgbusCredentials', 'GET /user/msgbus/credentials', {
    summary: "Get the caller's messaging credentials",
    emulation:
      'A NATS credentials file that a server configured by `drydock nats-config` accepts: to publish and subscribe to `user.ID.>`, and to subscribe to notices to oneself',
    access: 'token',
    answers: { 200: { description: 'Endpoints and credentials file', schema: credentialsSchema } },
    run: async (call) => ok(await credentials(call, call.caller)),
  }),
  route('getMsgbusAdminCredentials', 'GET /user/msgbus/admin_credentials', {
    summary: "Get the messaging admin's credentials",
    emulation: 'As above, for the admin, who can subscribe to every user and use `$SYS`',
    answers: { 200: { description: 'Opaque; here endpoints and credentials file', schema: anyObject } },
    run: async (call) => ok(await credentials(call, 'admin')),
  }),
  route('getMsgbusUserCredentials', 'GET /user/msgbus/user_credentials', {
    summary: "Get a messaging user's credentials",
    emulation: 'The query `user` selects the messaging user; without it the service redirects',
    query: { user: { description: 'Login of the messaging user', schema: textSchema } },
    answers: {
      200: { description: 'Opaque; here endpoints and credentials file', schema: anyObject },
      302: { description: 'No messaging user is selected', headers: ['Location'] },
      404: problemAnswer('There is no such user'),
    },
    run: async (call) => {
      const login = call.query('user') ?? '';
      if (login === '') return empty(302, { Location: call.settings.redirect });
      const user = findUser(call.store, login);
      if (!user) throw missing(`There is no user ${JSON.stringify(login)}.`);
      return ok(await credentials(call, user));
    },
  }),
  route('getClusterResourceHistory', 'GET /user/msgbus/cluster-resource-history', {
    summary: "Get a cluster's resource history",
    emulation: 'A seeded list',
    query: { cluster_uid: { description: 'UID of the cluster; required', schema: textSchema } },
    answers: {
      200: { description: 'Opaque; here an object with `items`', schema: anyObject },
      400: problemAnswer('cluster_uid is missing'),
    },
    run: (call) => {
      const uid = call.query('cluster_uid') ?? '';
      if (uid === '') throw new Problem(400, 'cluster_uid is required');
      const cluster = call.store.cluster.first('uid', uid)?.id ?? 0;
      const items = call.store.history.many('cluster', cluster).map((row) => row.entry[0]);
      return ok({ cluster_uid: uid, items });
    },
  }),
];

async function credentials(call: Call, whose: UserRow | 'admin'): Promise<JsonObject> {
  const { personCredentials, staffCredentials } = await import('../keys/nats.ts');
  const { seed } = call.world;
  const file =
    whose === 'admin' ? staffCredentials(seed, 'admin') : personCredentials(seed, natsPerson(call.store, whose));
  return { msgbusEndpoints: call.settings.msgbusEndpoints, credentials: encodeBase64(new TextEncoder().encode(file)) };
}

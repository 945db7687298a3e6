// Access tokens: created, listed and revoked with login and password.

import { empty, ok } from '../app/message.ts';
import { invalid, missing, Problem } from '../app/problem.ts';
import { type CallWith, type Route, routeBuilder } from '../app/route.ts';
import type { JsonObject } from '../store/json.ts';
import { lastEight } from '../store/kinds.ts';
import { findUser } from '../store/people.ts';
import type { TokenRow, UserRow } from '../store/rows.ts';
import { formatRow, int64Schema, listSchema, objectSchema, problemAnswer, textSchema } from './shapes.ts';

const route = routeBuilder({ section: 'Access tokens', access: 'basic' });

const tokenSchema = objectSchema('AccessToken', {
  id: int64Schema,
  name: textSchema,
  sha1: { type: 'string', description: 'The token itself; empty except in the response that issues it' },
  token_last_eight: textSchema,
});

const params = { username: 'Login of the person' };
const refusals = {
  403: problemAnswer("The tokens are another person's"),
  404: problemAnswer('There is no such user'),
};

export const tokenRoutes: readonly Route[] = [
  route('listTokens', 'GET /users/{username}/tokens', {
    summary: "List a user's access tokens",
    emulation: 'Without revoked tokens; needs Basic authentication',
    params,
    answers: { 200: { description: 'The tokens', schema: listSchema(tokenSchema) }, ...refusals },
    run: (call) => {
      const tokens = call.store.token.many('user', ownerOf(call).id).filter((token) => !token.revoked);
      return ok(tokens.map((token) => formatToken(token)));
    },
  }),
  route('createToken', 'POST /users/{username}/tokens', {
    summary: 'Issue an access token',
    emulation: 'Forty hexadecimal digits derived from the seed; shown in this response only',
    params,
    answers: {
      201: { description: 'The token', schema: tokenSchema },
      ...refusals,
      422: problemAnswer('The name is missing or taken'),
    },
    body: {
      description: 'The name of the token',
      schema: {
        title: 'CreateAccessTokenOption',
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 1 } },
      },
      example: { name: 'laptop' },
    },
    run: (call, { name }) => {
      const owner = ownerOf(call);
      if (call.store.token.many('name', `${owner.id}/${name}`).some((token) => !token.revoked)) {
        throw invalid(`name: there is a token ${JSON.stringify(name)} already`);
      }
      const { world } = call;
      const row = call.store.token.add({
        user: owner.id,
        name,
        token: world.nextToken(),
        created: world.clock.iso(),
      });
      return { status: 201, json: formatToken(row, row.token) };
    },
  }),
  route('deleteToken', 'DELETE /users/{username}/tokens/{id}', {
    summary: 'Revoke an access token',
    emulation: 'The token stops working; accepts the id or the name',
    params: { ...params, id: 'Id or name of the token' },
    answers: { 204: { description: 'Revoked' }, ...refusals },
    run: (call) => {
      const { id } = call.params;
      const tokens = call.store.token.many('user', ownerOf(call).id).filter((row) => !row.revoked);
      const token = tokens.find((row) => String(row.id) === id) ?? tokens.find((row) => row.name === id);
      if (!token) throw missing(`There is no token ${JSON.stringify(id)}.`);
      call.store.token.change(token.id, { revoked: true });
      return empty(204);
    },
  }),
];

function ownerOf(call: CallWith<'username'>): UserRow {
  const { caller, params } = call;
  const user = findUser(call.store, params.username);
  if (user && (user.id === caller.id || caller.is_admin)) return user;
  if (!caller.is_admin) throw new Problem(403, 'You may only see your own tokens.');
  throw missing(`There is no user ${JSON.stringify(params.username)}.`);
}

function formatToken(row: TokenRow, sha1 = ''): JsonObject {
  return formatRow(tokenSchema, row, { sha1, token_last_eight: lastEight(row.token) });
}

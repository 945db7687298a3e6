// Social follow: followers, following, follow, unfollow.

import { empty, ok, type Reply } from '../app/message.ts';
import { pageHeaders, pageParameters, readPage } from '../app/paging.ts';
import { missing, Problem } from '../app/problem.ts';
import { type Call, type CallWith, type Route, routeBuilder } from '../app/route.ts';
import { findUser } from '../store/people.ts';
import type { UserRow } from '../store/rows.ts';
import { formatUser, listSchema, problemAnswer, userSchema } from './shapes.ts';

const route = routeBuilder({ section: 'Social follow', access: 'token' });
const params = { username: 'Login of the other person' };
const people = { description: 'One page of people', schema: listSchema(userSchema), headers: pageHeaders };
const nobody = problemAnswer('There is no such person; organizations cannot be followed');

export const followRoutes: readonly Route[] = [
  route('listFollowers', 'GET /user/followers', {
    summary: "List the caller's followers",
    emulation: 'In the order of following, thirty per page; private fields of others are blank',
    query: pageParameters,
    answers: { 200: people },
    run: (call) => listPeople(call, 'followee', 'follower'),
  }),
  route('listFollowing', 'GET /user/following', {
    summary: 'List whom the caller follows',
    emulation: 'As followers',
    query: pageParameters,
    answers: { 200: people },
    run: (call) => listPeople(call, 'follower', 'followee'),
  }),
  route('checkFollowing', 'GET /user/following/{username}', {
    summary: 'Tell whether the caller follows a person',
    emulation: 'From the store',
    params,
    answers: {
      204: { description: 'The caller follows the person' },
      404: problemAnswer('The caller does not follow the person, or there is none'),
    },
    run: (call) => {
      const other = personOf(call);
      if (!followOf(call, other)) throw missing(`You do not follow ${other.login}.`);
      return empty(204);
    },
  }),
  route('follow', 'PUT /user/following/{username}', {
    summary: 'Follow a person',
    emulation: 'No effect if already following, or on oneself; refused by a seeded block',
    params,
    answers: {
      204: { description: 'The caller follows the person' },
      403: problemAnswer('The person has blocked the caller'),
      404: nobody,
    },
    run: (call) => {
      const other = personOf(call);
      const { store, caller } = call;
      if (other.id === caller.id || followOf(call, other)) return empty(204);
      if (other.blocks.includes(caller.id)) {
        throw new Problem(403, `${other.login} has blocked you.`);
      }
      store.follow.add({ follower: caller.id, followee: other.id });
      return empty(204);
    },
  }),
  route('unfollow', 'DELETE /user/following/{username}', {
    summary: 'Unfollow a person',
    emulation: 'No effect if the caller does not follow the user',
    params,
    answers: { 204: { description: 'The caller does not follow the person' }, 404: nobody },
    run: (call) => {
      const row = followOf(call, personOf(call));
      if (row) call.store.follow.remove(row.id);
      return empty(204);
    },
  }),
];

function listPeople(call: Call, mine: 'follower' | 'followee', theirs: 'follower' | 'followee'): Reply {
  const { store, caller } = call;
  const rows = store.follow.many(mine, caller.id);
  const { start, end, headers } = readPage(call, rows.length);
  const people = rows.slice(start, end).map((row) => formatUser(call, store.user.get(row[theirs])!));
  return ok(people, headers);
}

function personOf(call: CallWith<'username'>): UserRow {
  const { username } = call.params;
  const user = findUser(call.store, username);
  if (!user) throw missing(`There is no user ${JSON.stringify(username)}.`);
  return user;
}

function followOf({ store, caller }: Call, other: UserRow): { readonly id: number } | undefined {
  return store.follow.first('pair', `${caller.id}/${other.id}`);
}

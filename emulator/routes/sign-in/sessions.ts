// Sessions: created by any kind of sign-in, ended by a sign-out.

import { cookieNames, readSessionKey, writeCookie } from '../../app/cookies.ts';
import type { Call } from '../../app/route.ts';
import { findSession } from '../../store/people.ts';
import type { UserRow } from '../../store/rows.ts';
import { formatTime } from '../../world/clock.ts';

const daySeconds = 86_400;

/** Creates a session of a day, and returns its cookies. */
export function beginSession(call: Call, user: UserRow): readonly string[] {
  const { world, store, settings } = call;
  const now = world.clock.now();
  for (const { id, expires } of store.session.many('user', user.id)) {
    if (Date.parse(expires) <= now) store.session.remove(id);
  }
  const { key, csrf } = store.session.add({
    user: user.id,
    key: world.nextSessionKey(user.id),
    csrf: world.nextSessionKey(user.id),
    created: formatTime(now),
    expires: formatTime(now + daySeconds * 1000),
  });
  store.user.change(user.id, { last_login: formatTime(now) });
  const names = cookieNames(settings);
  return [writeCookie(call, [names.session, key]), writeCookie(call, [names.csrf, csrf], { readable: true })];
}

/** Ends the session in a call's cookie, if any, and returns cookies that clear it. */
export function endSession(call: Call): readonly string[] {
  const { store, settings } = call;
  const names = cookieNames(settings);
  const key = readSessionKey(call.header('cookie'), names.session);
  const session = key === undefined ? undefined : findSession(store, key);
  if (session) store.session.remove(session.id);
  return names.all.map((name) => writeCookie(call, [name, ''], { maxAgeSeconds: 0 }));
}

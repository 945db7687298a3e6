// Sessions: created by any kind of sign-in, ended by a sign-out.

import { cookieNames, readSessionKey, writeCookie } from '../../app/cookies.ts';
import type { Call } from '../../app/route.ts';
import { findSession } from '../../store/people.ts';
import type { UserRow } from '../../store/rows.ts';
import { formatTime } from '../../world/clock.ts';

const day = 86_400;
// Maximum number of sessions per person, for tests that sign in repeatedly.
const mostSessions = 50;

/** Creates a session, for a week if it should be remembered and a day otherwise, and returns its cookies. */
export function beginSession(call: Call, user: UserRow, isRemembered = false): readonly string[] {
  const { world, store, settings } = call;
  const now = world.clock.now();
  const sessions = store.session.many('user', user.id);
  const surplus = sessions.length - mostSessions;
  for (const [at, { id, expires }] of sessions.entries()) {
    if (at <= surplus || Date.parse(expires) <= now) store.session.remove(id);
  }
  const seconds = isRemembered ? 7 * day : day;
  const { key, csrf } = store.session.add({
    user: user.id,
    key: world.nextSessionKey(user.id),
    csrf: world.nextSessionKey(user.id),
    created: formatTime(now),
    expires: formatTime(now + seconds * 1000),
  });
  store.user.change(user.id, { last_login: formatTime(now) });
  const names = cookieNames(settings);
  const lasting = isRemembered ? { maxAgeSeconds: seconds } : {};
  return [
    writeCookie(call, [names.session, key], lasting),
    writeCookie(call, [names.csrf, csrf], { ...lasting, readable: true }),
  ];
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

// Sessions: what a sign-in begins, in whichever way it came about, and a sign-out ends.

import { cookieNames, readSessionKey, writeCookie } from '../../app/cookies.ts';
import type { Call } from '../../app/route.ts';
import { findSession } from '../../store/people.ts';
import type { UserRow } from '../../store/rows.ts';
import { formatTime } from '../../world/clock.ts';

const day = 86_400;
// A person who signs in again and again, as tests do, has only so many.
const mostSessions = 50;

/** Begins a session of a person, for a week when it is to be remembered and a day otherwise, and returns the cookies for it. */
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

/** Ends the session whose cookie a call has sent, if it has, and returns the cookies that clear all of a session. */
export function endSession(call: Call): readonly string[] {
  const { store, settings } = call;
  const names = cookieNames(settings);
  const key = readSessionKey(call.header('cookie'), names.session);
  const session = key === undefined ? undefined : findSession(store, key);
  if (session) store.session.remove(session.id);
  return names.all.map((name) => writeCookie(call, [name, ''], { maxAgeSeconds: 0 }));
}

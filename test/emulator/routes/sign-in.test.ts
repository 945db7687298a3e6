// Sign-in by password and through an organization, as a browser does it, and everything that must be refused.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Emulator } from '../../../emulator/emulator.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A browser: keeps cookies with their paths, follows no redirect. */
class Browser {
  readonly cookies = new Map<string, { readonly value: string; readonly path: string; readonly line: string }>();
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  async go(path: string, init: RequestInit = {}): Promise<Response> {
    const mine = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    const headers = new Headers({ ...html, ...(init.headers as Record<string, string>) });
    if (mine.length > 0) headers.set('Cookie', mine.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const answer = await this.#emulator.fetch(path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, { value, path: /Path=([^;]*)/.exec(line)?.[1] ?? '/', line });
    }
    return answer;
  }

  send(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Response> {
    return this.go(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async login(path = '/api/v1/user'): Promise<unknown> {
    const answer = await this.go(path);
    return answer.status === 200 ? ((await answer.json()) as { readonly login: string }).login : answer.status;
  }
}

function locationOf(answer: Response): string {
  assert.equal(answer.status, 303);
  return answer.headers.get('Location') ?? '';
}

function fieldsOf(location: string): Readonly<Record<'state' | 'redirect_uri', string>> {
  const { searchParams } = new URL(location, 'http://localhost');
  return { state: searchParams.get('state') ?? '', redirect_uri: searchParams.get('redirect_uri') ?? '' };
}

const ada = { user_name: 'ada', password: 'ada-password' };

test('a form starts a session, which is valid like a token until the sign-out', async () => {
  const emulator = strictEmulator();
  const browser = new Browser(emulator);
  assert.equal(await browser.login(), 401);
  const answer = await browser.send('/user/login?redirect_to=/next%3Fa=1', ada);
  assert.equal(locationOf(answer), '/next?a=1');
  assert.match(browser.cookies.get('session')?.line ?? '', /^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.match(browser.cookies.get('_csrf')?.line ?? '', /^_csrf=[0-9a-f]{40}; Path=\/; SameSite=Lax$/);
  assert.equal(await browser.login(), 'ada');
  assert.match(await (await browser.go('/user/login')).text(), /You are signed in as Ada Moreno/);
  const kept = browser.cookies.get('session')?.value;
  assert.equal((await browser.go('/api/v1/user/signout')).status, 200);
  assert.equal(browser.cookies.size, 0);
  const answered = await as(emulator)('GET', '/user', undefined, { Cookie: `session=${kept}` });
  assert.equal(answered.status, 401);
  assert.match(String(answered.at('message')), /session has ended/);
});

test('JSON gets the person as a response; an address is accepted as a name', async () => {
  const emulator = strictEmulator();
  const answer = await as(emulator)('POST', '//user/login', {
    user_name: 'BOB@example.com',
    password: 'bob-password',
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.at('login'), 'bob');
  assert.equal(answer.headers.getSetCookie().length, 2);
});

test('a change in a session needs its CSRF token, a token needs none and takes precedence', async () => {
  const emulator = strictEmulator();
  const browser = new Browser(emulator);
  await browser.send('/user/login', ada);
  const change = { method: 'PUT' } as const;
  const refused = await browser.go('/api/v1/user/following/cleo', change);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /X-Csrf-Token/);
  const csrf = browser.cookies.get('_csrf')?.value ?? '';
  const headers = { 'X-Csrf-Token': csrf };
  assert.equal((await browser.go('/api/v1/user/following/cleo', { ...change, headers })).status, 204);
  const token = emulator.users().find(({ login }) => login === 'cleo')?.token;
  const asCleo = { Authorization: `token ${token}` };
  assert.equal(
    ((await (await browser.go('/api/v1/user', { headers: asCleo })).json()) as { login: string }).login,
    'cleo',
  );
  assert.equal((await browser.go('/api/v1/user/following/bob', { ...change, headers: asCleo })).status, 204);
});

test('a session ends by the clock of its world, with its account, and on a reset', async () => {
  const emulator = strictEmulator();
  const browser = new Browser(emulator);
  const world = emulator.world();
  await browser.send('/user/login', ada);
  world.clock.advance(86_399_000);
  assert.equal(await browser.login(), 'ada');
  world.clock.advance(2000);
  assert.equal(await browser.login(), 401);
  // If a token is optional, an expired session counts as none.
  assert.equal((await browser.go('/api/v1/orgs/harbor')).status, 200);
  await browser.send('/user/login', ada);
  assert.equal(await browser.login(), 'ada');
  world.store.user.change(world.store.user.first('login', 'ada')?.id ?? 0, { prohibit_login: true });
  assert.equal(await browser.login(), 403);
  emulator.reset();
  assert.equal(await browser.login(), 401);
});

describe('a password sign-in is refused with a message', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, number, RegExp])[] = [
    ['a wrong password', { ...ada, password: 'x' }, 401, /Name or password is wrong/],
    ['nobody, in the same words', { user_name: 'nobody', password: 'x' }, 401, /Name or password is wrong/],
    ['an empty password of one who has none', { user_name: 'eve', password: '' }, 401, /Name or password is wrong/],
    ['an inactive account', { user_name: 'finn', password: 'finn-password' }, 403, /not activated/],
    ['a locked account', { user_name: 'gus', password: 'gus-password' }, 403, /prohibited/],
    ['no password', { user_name: 'ada' }, 422, /password/],
    ['another site to go to', { ...ada, redirect_to: 'https://evil.example' }, 422, /not a valid redirect target/],
  ];
  for (const [title, fields, status, words] of rows) {
    test(title, async () => {
      const browser = new Browser(strictEmulator());
      const answer = await browser.send('/user/login', fields, { Accept: '*/*' });
      assert.equal(answer.status, status);
      assert.match(((await answer.json()) as { message: string }).message, words);
      assert.equal(browser.cookies.size, 0);
    });
  }

  test('on the page, keeping the name', async () => {
    const fields = { user_name: '<b>', password: 'pw-of-<b>', redirect_to: '/a"><i>' };
    const answer = await new Browser(strictEmulator()).send('/user/login', fields);
    assert.equal(answer.status, 401);
    const page = await answer.text();
    assert.match(page, /<p role="alert">Name or password is wrong/);
    assert.match(page, /name="user_name" value="&lt;b&gt;"/, 'the name need not be written again');
    assert.ok(!page.includes('<i>') && !page.includes('<b>'), page);
  });

  test('for members whose organization enforces another method', async () => {
    const emulator = strictEmulator();
    const { store } = emulator.world();
    store.user.change(store.user.first('login', 'eve')?.id ?? 0, { password: 'known' });
    const answer = await as(emulator)('POST', '//user/login', { user_name: 'eve', password: 'known' });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Members of Contoso sign in through Contoso Okta: go to \/user\/oauth2\/org-1005/);
  });

  test('for pages of other origins, with any body', async () => {
    const browser = new Browser(strictEmulator());
    for (const origin of ['https://evil.example', 'null']) {
      assert.equal((await browser.send('/user/login', ada, { Origin: origin })).status, 403);
      assert.equal((await browser.send('/user/logout', {}, { Origin: origin })).status, 403);
      assert.equal((await browser.send('/user/oauth2/org-1001/authorize', {}, { Origin: origin })).status, 403);
    }
    assert.equal((await browser.send('/user/login', ada, { Origin: 'http://localhost:5173' })).status, 303);
  });

  test('for a body that is too long, of another type, or repeats a field', async () => {
    const emulator = strictEmulator({ bodyLimit: 2000 });
    const call = as(emulator);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await call('POST', '//user/login', `user_name=${'x'.repeat(3000)}`, form)).status, 413);
    const twice = await call('POST', '//user/login', 'user_name=ada&user_name=bob&password=x', form);
    assert.deepEqual([twice.status, twice.at('message')], [422, 'body: the field "user_name" is there twice']);
    const other = await call('POST', '//user/login', 'user_name=ada', { 'Content-Type': 'text/plain' });
    assert.match(String(other.at('message')), /send application\/json or application\/x-www-form-urlencoded/);
    assert.equal((await call('POST', '//user/login', 'user_name=%FF&password=%00', form)).status, 401);
  });
});

test('no redirect leads to another site, however it is written', async () => {
  const browser = new Browser(strictEmulator({ origins: ['*', 'loopback', 'https://app.example.com'] }));
  const bad = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil',
    'https://app.example.com@evil.example/',
    'https://app.example.com.evil.example',
    'https://a:b@app.example.com/',
    'http://app.example.com/',
    'http://127.0.0.1.evil.example',
    `/${'x'.repeat(2001)}`,
  ];
  for (const target of bad) {
    const query = `redirect_to=${encodeURIComponent(target)}`;
    const answer = await browser.go(`/user/oauth2/org-1001?${query}`);
    assert.deepEqual([answer.status, answer.headers.get('Location')], [422, null], target);
    assert.equal((await browser.send(`/user/login?${query}`, ada)).status, 422, target);
  }
  const good = [
    ['/', '/'],
    ['/a/../b?c=d#e', '/b?c=d#e'],
    ['/x\r\nSet-Cookie: a=b', '/xSet-Cookie:%20a=b'],
    ['http://localhost:5173', 'http://localhost:5173/'],
  ] as const;
  for (const [target, want] of good) {
    assert.equal(locationOf(await browser.send('/user/login', { ...ada, redirect_to: target })), want);
  }
});

describe('through an organization', () => {
  async function begin(browser: Browser, way = '') {
    const consent = locationOf(await browser.go(`${way}/user/oauth2/org-1005?redirect_to=/home`));
    return { consent, ...fieldsOf(consent) };
  }

  function agree(browser: Browser, fields: Readonly<Record<string, string>>, headers = {}): Promise<Response> {
    return browser.send('/user/oauth2/org-1005/authorize', fields, headers);
  }

  async function finish(browser: Browser, user: string, way = ''): Promise<string> {
    const { consent, state, redirect_uri } = await begin(browser, way);
    const back = locationOf(await browser.send(consent.replace(/\?.*/, ''), { state, redirect_uri, user }));
    return locationOf(await browser.go(back));
  }

  test('the method of login-method starts a session of a person without a password', async () => {
    const emulator = strictEmulator();
    const browser = new Browser(emulator);
    const method = (await as(emulator)('GET', '/user/login-method?username=eve')).at('oauthCallbackPath');
    const consent = locationOf(await browser.go(`${method}?redirect_to=http://localhost:5173/home`));
    const page = await (await browser.go(consent)).text();
    assert.match(page, /Contoso Okta: sign in to Contoso/);
    assert.match(page, /name="user" value="eve" aria-label="Sign in as eve">/);
    assert.match(page, /value="finn" aria-label="Sign in as finn" disabled>/);
    assert.match(page, /This account is not activated\. Is not a member of Contoso\./);
    assert.match(page, /This account is prohibited from signing in\./);
    const { state, redirect_uri } = fieldsOf(consent);
    const back = locationOf(await agree(browser, { state, redirect_uri, user: 'eve' }));
    const query = new URL(back, 'http://localhost').searchParams;
    assert.deepEqual([...query.keys()].sort(), ['code', 'state']);
    assert.equal(query.get('state'), state);
    assert.equal(locationOf(await browser.go(back)), 'http://localhost:5173/home');
    assert.equal(await browser.login(), 'eve');
    assert.ok(!browser.cookies.has('oauth2_state'));
    // Neither code nor state can be used again.
    assert.equal((await browser.go(back)).status, 400);
  });

  test('in a world, below a base path, each with separate sessions', async () => {
    const emulator = strictEmulator({ basePath: '/platform' });
    const browser = new Browser(emulator);
    assert.equal(await finish(browser, 'eve', '/platform/@blue'), '/home');
    assert.equal(browser.cookies.get('session')?.path, '/platform/@blue');
    assert.equal(await browser.login('/platform/@blue/api/v1/user'), 'eve');
    assert.equal(await browser.login('/platform/api/v1/user'), 401);
    const named = { 'X-Drydock-World': 'red' };
    await browser.send('/platform/user/login', ada, named);
    assert.equal(browser.cookies.get('session')?.path, '/');
    assert.equal((await browser.go('/platform/api/v1/user', { headers: named })).status, 200);
    assert.equal(await browser.login('/platform/api/v1/user'), 401);
  });

  test('a callback is refused without the browser, the state or the code of the sign-in', async () => {
    const emulator = strictEmulator();
    const [browser, other] = [new Browser(emulator), new Browser(emulator)];
    const { state, redirect_uri } = await begin(browser);
    await begin(other);
    const back = locationOf(await agree(browser, { state, redirect_uri, user: 'eve' }));
    assert.match(await (await other.go(back)).text(), /did not begin in this browser/);
    assert.equal((await browser.go(back.replace(/code=\w+/, 'code=wrong'))).status, 400);
    // One wrong attempt ends it.
    assert.equal((await browser.go(back)).status, 400);
    assert.deepEqual([await browser.login(), await other.login()], [401, 401]);
  });

  test('people who are no members, not active or unknown are refused, and so is any other return address', async () => {
    const emulator = strictEmulator();
    const browser = new Browser(emulator);
    const { state, redirect_uri } = await begin(browser);
    const refusals: readonly (readonly [fields: Readonly<Record<string, string>>, status: number, words: RegExp])[] = [
      [{ user: 'bob' }, 403, /^Is not a member of Contoso/],
      [{ user: 'gus' }, 403, /^This account is prohibited/],
      [{ user: 'nobody' }, 403, /^There is no user "nobody"/],
      [{}, 403, /^Nobody was chosen/],
      [{ user: 'eve', state: 'x' }, 400, /./],
      [{ user: 'eve', redirect_uri: 'https://evil.example' }, 422, /^redirect_uri: "https:/],
    ];
    for (const [fields, status, words] of refusals) {
      const answer = await agree(browser, { state, redirect_uri, ...fields }, { Accept: '*/*' });
      assert.equal(answer.status, status);
      assert.match(((await answer.json()) as { message: string }).message, words);
    }
    const other = await browser.send('/user/oauth2/org-1001/authorize', { state, redirect_uri, user: 'eve' });
    assert.equal(other.status, 400);
    const cancelled = locationOf(await agree(browser, { state, redirect_uri, cancel: 'true' }));
    const answer = await browser.go(cancelled);
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /<p role="alert">The sign-in was refused: access_denied/);
  });

  test('an organization without this method, or with it disabled, has no sign-in', async () => {
    const call = as(strictEmulator());
    for (const name of ['org-1', 'github', 'org-1e3', '__proto__', 'org-99999999999999999999']) {
      const answer = await call('GET', `//user/oauth2/${name}`);
      assert.equal(answer.status, 404, name);
      assert.match(answer.text, /Cannot sign in through/);
    }
    assert.match((await call('GET', '//user/oauth2/org-1002')).text, /Northwind Traders has no active way/);
  });

  test('a sign-in that takes more than ten minutes expires', async () => {
    const emulator = strictEmulator();
    const browser = new Browser(emulator);
    const { consent } = await begin(browser);
    emulator.world().clock.advance(601_000);
    const answer = await browser.go(consent);
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /took longer than ten minutes/);
  });
});

test('sessions are part of the state, and secrets of a sign-in are not in the log', async () => {
  const emulator = strictEmulator();
  const browser = new Browser(emulator);
  await browser.send('/user/login', ada);
  const key = browser.cookies.get('session')?.value ?? 'none';
  const csrf = browser.cookies.get('_csrf')?.value ?? 'none';
  await browser.go('/api/v1/user/following/cleo', { method: 'PUT', headers: { 'X-Csrf-Token': csrf } });
  const log = JSON.stringify(emulator.requests());
  assert.ok(!log.includes('ada-password') && !log.includes(key) && !log.includes(csrf), log);
  const other = strictEmulator();
  other.world().importSnapshot(JSON.parse(JSON.stringify(emulator.world().exportSnapshot())));
  const moved = new Browser(other);
  for (const [name, cookie] of browser.cookies) moved.cookies.set(name, cookie);
  assert.equal(await moved.login(), 'ada');
});

test('a foreign cookie of the same name is ignored', async () => {
  const call = as(strictEmulator());
  const answer = await call('GET', '/user', undefined, { Cookie: 'session=eyJhIjoxfQ.Zz; theme=dark' });
  assert.match(String(answer.at('message')), /^Token is required/);
});

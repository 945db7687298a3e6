// The program in the page of test/e2e/browser/emulator.ts: sends every row of the API document through msw's service worker.

import { startWorker } from '../../emulator/worker.browser.ts';
import { apiRows } from './api-rows.ts';
import { type ApiAnswer, readAnswer, runRow, titleOfRow } from './api-run.ts';

/** The results of the page. */
export interface PageReport {
  readonly passed: number;
  readonly failed: readonly string[];
}

async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<ApiAnswer> {
  const init = { method, headers, redirect: 'manual', ...(body !== undefined && { body }) } as const;
  const response = await fetch(path, init);
  return readAnswer(response.status, await response.text(), (name) => response.headers.get(name));
}

async function runRows(hosted: boolean): Promise<PageReport> {
  const { emulator, stop } = await startWorker({ hosted, strict: true, baseUrl: location.origin });
  const { store } = emulator.world();
  const orders = new Map(store.order.all().map((row) => [store.user.get(row.owner)?.login ?? '', row.id]));
  const tokens = new Map(emulator.users().map(({ login, token }) => [login, token]));
  const failed: string[] = [];
  const rows = apiRows.filter((row) => (row.hosted ?? hosted) === hosted);
  for (const [at, row] of rows.entries()) {
    await runRow(row, `page-${hosted}-${at}`, { send, tokens, orders, inPage: true }).catch((error: Error) => {
      failed.push(`${titleOfRow(row)}: ${error.message}`);
    });
  }
  stop();
  return { passed: rows.length - failed.length, failed };
}

async function extras(): Promise<readonly string[]> {
  const { emulator, stop } = await startWorker();
  const failed: string[] = [];
  const check = (name: string, holds: boolean): void => {
    if (!holds) failed.push(name);
  };
  const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
  // A page cannot see the headers, only its cookies.
  // biome-ignore lint/suspicious/noDocumentCookie: the test is about the cookies of the page
  document.cookie = '_csrf=old; path=/';
  await fetch('/api/v1/user/signout', { headers });
  await checkSignIn(check);
  check('a dropped connection is a TypeError', await isTypeError(emulator.fault({ route: 'getVersion', drop: true })));
  const elsewhere = await startWorker({ baseUrl: 'https://platform.example.com' });
  const cross = await fetch('https://platform.example.com/api/v1/user', { headers });
  elsewhere.stop();
  check('the worker handles requests to another origin', cross.status === 200);
  const passed = await fetch('/page.js');
  check(
    'other requests go to the network',
    passed.ok && (passed.headers.get('content-type') ?? '').includes('javascript'),
  );
  for (const path of ['/scripts/app.js', '/avatars/me.png']) {
    const own = await fetch(path);
    check(`${path} is not intercepted`, !own.headers.has('x-request-id'));
  }
  stop();
  return failed;
}

// Below the emulator's own path, because `/user/login` belongs to the application.
const site = '/__drydock/web';

async function checkSignIn(check: (name: string, holds: boolean) => void): Promise<void> {
  const currentUser = async (): Promise<unknown> =>
    ((await (await fetch('/api/v1/user')).json()) as { login?: string }).login;
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const home = { redirect_to: '/api/v1/user' };
  const byPassword = await fetch(`${site}/user/login`, form({ user_name: 'ada', password: 'ada-password', ...home }));
  check('a form signs in and redirects', byPassword.ok && byPassword.url.endsWith('/api/v1/user'));
  check('the session authenticates requests of the page', (await currentUser()) === 'ada');
  const consent = await fetch(`${site}/user/oauth2/org-1005?redirect_to=/api/v1/user`);
  const query = Object.fromEntries(new URL(consent.url).searchParams);
  const through = await fetch(consent.url, form({ ...query, user: 'eve' }));
  check(
    'a user signs in through an organization',
    through.url.endsWith('/api/v1/user') && (await currentUser()) === 'eve',
  );
  await fetch('/api/v1/user/signout');
  check('a sign-out ends a session', (await currentUser()) === undefined);
}

async function isTypeError(removeFault: () => void): Promise<boolean> {
  const outcome = await fetch('/api/v1/version').then(
    () => false,
    (error: unknown) => error instanceof TypeError,
  );
  removeFault();
  return outcome;
}

// The test only means something if the content security policy forbids evaluated code.
async function isStrict(): Promise<boolean> {
  const reported = new Promise((resolve) =>
    document.addEventListener('securitypolicyviolation', resolve, { once: true }),
  );
  try {
    new Function('');
    return false;
  } catch {
    await reported;
    return true;
  }
}

async function run(): Promise<PageReport> {
  const forbidden = (await isStrict()) ? [] : ['the content security policy allows eval'];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    forbidden.push(`content security policy violation: ${violatedDirective} blocks ${blockedURI}`);
  });
  const plain = await runRows(false);
  const hosted = await runRows(true);
  const failed = [...plain.failed, ...hosted.failed, ...(await extras()), ...forbidden];
  return { passed: plain.passed + hosted.passed, failed };
}

run().then(
  (report) => Object.assign(window, { report }),
  (error: Error) => Object.assign(window, { report: { passed: 0, failed: [String(error.stack)] } }),
);

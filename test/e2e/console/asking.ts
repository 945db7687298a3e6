// Tests that the pages for users, the emulator and the API send the requests that they show. `node --import tsx test/e2e/console/asking.ts`
// Every copied request, for a shell and for a program, runs and prints what the page shows; faults are logged; errors are shown where they
// belong; sign-in ends on the right page; files can be dropped on any screen; Orders are compared with a file and with their previous version.

import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { addChart, type ConsolePage, chartArchive, dropFile, untilOutlined, withWeb } from './page.ts';
import { faultsOf } from './screens.ts';

async function go(page: ConsolePage, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForSelector(`.nav a[aria-current][href="${hash}"]`);
}

/** Returns what a button copies to the clipboard. */
async function copied(page: ConsolePage, button: string): Promise<string> {
  await page.evaluate("window.onClipboard = ''");
  await page.locator(button).click();
  await until(`the copy of ${button}`, () => page.evaluate<boolean>("window.onClipboard !== ''"), 10);
  return page.evaluate('window.onClipboard');
}

const userPages = [
  'profile',
  'emails',
  'followers',
  'following',
  'orgs',
  'teams',
  'clusters',
  'credentials',
  'buckets',
  'inbox',
  'tokens',
];
const controlParts = ['requests', 'scenarios', 'faults', 'clock', 'snapshots', 'worlds'];

/** The shell command and the program are run: both succeed, with the output shown in the page. */
async function runCopies(page: ConsolePage): Promise<void> {
  const places = [
    ...userPages.map((name) => `#/users/ada/${name}`),
    ...controlParts.map((name) => `#/control/${name}`),
  ];
  for (const place of places) {
    await go(page, place);
    await page.waitForSelector('.request .tag[data-status=good]');
    await page.locator('.request > summary').click();
    const curl = await copied(page, '.request .call button:has-text("curl")');
    const program = await copied(page, '.request .call button:has-text("fetch")');
    const { stdout } = await execa('sh', ['-c', curl]);
    const output = await page.evaluate<string>(
      `(async () => { ${program} return response.ok ? response.text() : 'refused' })()`,
    );
    // Time passes and the log grows between two requests.
    const isSame = stdout.trim() === output.trim() || ['#/control/clock', '#/control/requests'].includes(place);
    if (!isSame || output === 'refused') throw new Error(`${place}: ${curl}\n${program}\n${stdout}\n${output}`);
  }
  check(`${places.length} pages: what they copy for curl and as fetch is run, and answers alike`, true);
}

/** Tokens are created and deleted with name and password, here and on the API page. */
async function workTokens(page: ConsolePage): Promise<void> {
  await go(page, '#/users/ada/tokens');
  await page.waitForSelector('td:has-text("demo")');
  await page.locator('#new-row').fill('laptop');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForSelector('tr:has-text("laptop")');
  await page.locator('tr:has-text("laptop") button').click();
  await page.waitForSelector('.table:not(:has-text("laptop"))');
  await page.locator('.form-line:has-text("Password of ada") input').fill('a guess');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.fault:has-text("401"):has-text("right password")');
  await page.evaluate("location.hash = '#/api/listTokens'");
  await page.locator('.fault-form .field:has-text("username") input').fill('ada');
  await page.getByRole('button', { name: 'Send as ada' }).click();
  await page.waitForSelector('.call .tag[data-status=good]');
  check('tokens are made, deleted and listed by name and password; a wrong one is reported, with what fixes it', true);
}

/** A fault is set in the form; the affected request reports it, and the log names the fault. */
async function strike(page: ConsolePage): Promise<void> {
  await go(page, '#/control/faults');
  const field = (label: string): string => `.fault-form .field:has-text("${label}") input`;
  await page.locator(field('Route')).fill('GET /user/emailz');
  await page.locator(field('Status')).fill('503');
  await page.getByRole('button', { name: 'Add fault', exact: true }).click();
  await page.waitForSelector('.last-call .fault:has-text("emailz")');
  await page.locator(field('Route')).fill('GET /user/emails');
  await page.getByRole('button', { name: 'Add fault', exact: true }).click();
  await page.waitForSelector('.issue:has-text("GET /user/emails")');
  const curl = await copied(page, '.last-call button:has-text("curl")');
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('.page-body .fault:has-text("503")');
  await go(page, '#/control/requests');
  await page.locator('input[type=search]').fill('fault emails');
  await page.locator('.logged:has(.tag.risk) summary').click();
  await page.waitForSelector('.logged-detail:has-text("Fault"):has-text("503")');
  await page.locator('.logged-detail button:has-text("Send again as ada")').click();
  await page.waitForSelector('.logged-detail .call .tag[data-status=bad]:has-text("503")');
  await go(page, '#/control/faults');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.waitForSelector('.page-body:has-text("No faults")');
  const isCurl = curl.includes('-X POST') && curl.includes('/__drydock/faults') && curl.includes('"status":503');
  check(
    'a fault is refused in place, set, copied as curl, told by the call that it strikes and by the log, lifted',
    isCurl,
  );
}

/** A logged request is sent again with its body as sent, and the new response is shown. */
async function replay(page: ConsolePage): Promise<void> {
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('td:has-text("ada@example.com")');
  await page.locator('#new-row').fill('again@example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForSelector('tr:has-text("again@example.com")');
  await go(page, '#/control/requests');
  await page.locator('input[type=search]').fill('post user/emails 201');
  await page.locator('.logged summary').click();
  await page.waitForSelector('.logged-detail:has-text("again@example.com")');
  const answer = (status: string): Promise<unknown> =>
    page.waitForSelector(`.logged-detail .call .tag:has-text("${status} ·")`);
  const again = page.locator('.logged-detail button:has-text("Send again as ada")');
  await again.click();
  await answer('422');
  await page.evaluate(`fetch('api/v1/user/emails', { method: 'DELETE', body: '{"emails":["again@example.com"]}',
    headers: { Authorization: 'token ${await tokenOf(page, 'ada')}', 'Content-Type': 'application/json' } })`);
  await again.click();
  await answer('201');
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('tr:has-text("again@example.com")');
  check(
    'a call of the log is asked again as it was sent: refused where it stands already, done where it does not',
    true,
  );
}

function tokenOf(page: ConsolePage, login: string): Promise<string> {
  const users = "fetch('__drydock/status').then((answer) => answer.json()).then(({ users }) => users)";
  return page.evaluate(`${users}.then((users) => users.find((one) => one.login === '${login}').token)`);
}

/** A scenario is created in the form: errors are shown at their fields; it takes effect, is changed, turned off and deleted. */
async function writeScenario(page: ConsolePage): Promise<void> {
  await go(page, '#/control/scenarios');
  await page.waitForSelector('tr:has-text("garbled")');
  const field = (label: string, part = ''): string => `.fault-form ${part} .field:has(span:text-is("${label}")) input`;
  const second = 'fieldset:has(legend:text-is("Fault 2"))';
  await page.locator(field('Name')).fill('slow');
  await page.locator(field('Description')).fill('Reads succeed, writes fail');
  await page.locator(field('Route')).fill('POST /user/emails');
  await page.locator(field('Status')).fill('503');
  await page.getByRole('button', { name: 'Add fault', exact: true }).click();
  await page.locator(field('Route', second)).fill('GET /user/emailz');
  await page.locator(field('Status', second)).fill('99');
  const start = page.getByRole('button', { name: 'Save and turn on', exact: true });
  await start.click();
  await page.waitForSelector('.fault-form .field:has(span:text-is("Name")) .field-fault:has-text("choose another")');
  await page.locator(field('Name')).fill('half-open');
  await start.click();
  await page.waitForSelector(`${second} .field:has(span:text-is("Status")) .field-fault:has-text("200")`);
  await page.locator(field('Status', second)).fill('429');
  await start.click();
  await page.waitForSelector(`${second} .field:has(span:text-is("Route")) .field-fault:has-text("emails")`);
  await page.locator(field('Route', second)).fill('GET /user/emails');
  await page.locator(`${second} summary >> nth=-1`).click();
  await page.locator(field('Headers', second)).fill('Retry-After: 2; X-Other: a');
  await start.click();
  const row = 'tr:has-text("half-open")';
  await page.waitForSelector(`${row} .tag.risk`);
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('.page-body .fault:has-text("429")');
  const output = await page.evaluate<string>(`fetch('api/v1/user/emails', { headers: { Authorization:
    'token ${await tokenOf(page, 'ada')}' } }).then((answer) => answer.status + ' ' + answer.headers.get('Retry-After'))`);
  await go(page, '#/control/scenarios');
  await page.getByRole('button', { name: 'Edit half-open' }).click();
  await page.getByRole('button', { name: 'Remove fault 2' }).click();
  await start.click();
  await page.waitForSelector('.last-call:has-text("PUT") .tag[data-status=good]');
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('td:has-text("ada@example.com")');
  await go(page, '#/control/scenarios');
  await page.getByRole('button', { name: 'Delete half-open' }).click();
  await page.waitForSelector('.table:not(:has-text("half-open"))');
  await page.getByRole('button', { name: 'Duplicate flaky' }).click();
  const copy = await page.locator(field('Name')).inputValue();
  const chance = await page.locator(field('Probability')).inputValue();
  check(
    `a scenario is written, refused at its fields, strikes (${output}), is changed and forgotten; ${copy} begins as flaky`,
    output === '429 2' && copy === 'my-flaky' && chance === '0.1',
  );
}

/** Scenarios, the clock, snapshots and worlds. */
async function control(page: ConsolePage): Promise<void> {
  await go(page, '#/control/scenarios');
  const turn = 'tr:has-text("garbled") button:has-text("Turn")';
  await page.locator(turn).click();
  await page.waitForSelector('tr:has-text("garbled") .tag.risk');
  await page.locator(turn).click();
  await page.waitForSelector('tr:has-text("garbled"):not(:has(.tag))');
  await go(page, '#/control/clock');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.waitForSelector('.clock .tag.risk');
  await page.locator('.form-line input').fill('tomorrow');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.waitForSelector('.last-call .fault');
  await page.locator('.form-line input').fill('2026-01-31T12:00:00Z');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.waitForSelector('.clock:has-text("2026-01-31T12:00:00")');
  await page.getByRole('button', { name: '1 day', exact: true }).click();
  await page.waitForSelector('.clock:has-text("2026-02-01T12:00:00")');
  await go(page, '#/control/snapshots');
  await page.locator('.form-line input').fill('noon');
  await page.getByRole('button', { name: 'Take snapshot', exact: true }).click();
  await page.waitForSelector('.issue:has-text("noon")');
  await addEmail(page, 'after-noon@example.com');
  await go(page, '#/control/snapshots');
  await page.getByRole('button', { name: 'Restore noon' }).click();
  await page.waitForSelector('.said:has-text("Restored noon")');
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('.table:has-text("ada@example.com"):not(:has-text("after-noon"))');
  await go(page, '#/control/snapshots');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export data' }).click(),
  ]);
  await page.getByRole('button', { name: 'Delete noon' }).click();
  await page.waitForSelector('.page-body:has-text("No snapshots")');
  await addEmail(page, 'later@example.com');
  await go(page, '#/control/snapshots');
  await page.locator('.page-body button:has-text("Reset data")').click();
  await page.waitForSelector('.said:has-text("Data reset")');
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('.table:has-text("ada@example.com"):not(:has-text("later@"))');
  const isTaken = await takesBack(page, await readFile(await file.path(), 'utf8'));
  await workInWorld(page);
  check(
    'scenarios, the clock, snapshots, worlds and the export do what they say, and tell what is refused',
    file.suggestedFilename() === 'default-state.json' && isTaken,
  );
}

async function addEmail(page: ConsolePage, address: string): Promise<void> {
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('td:has-text("ada@example.com")');
  await page.locator('#new-row').fill(address);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForSelector(`td:has-text("${address}")`);
}

// An exported state can be imported, and is exported unchanged.
function takesBack(page: ConsolePage, state: string): Promise<boolean> {
  return page.evaluate<boolean>(`(async () => {
    const put = await fetch('__drydock/state', { method: 'PUT', body: ${JSON.stringify(state)},
      headers: { 'Content-Type': 'application/json' } });
    const rows = (text) => JSON.stringify(JSON.parse(text).state);
    const after = await (await fetch('__drydock/state')).text();
    return put.status === 204 && rows(after) === rows(${JSON.stringify(state)}) && after.includes('ada@example.com');
  })()`);
}

// A link to a world opens it, and actions there only affect that world.
async function workInWorld(page: ConsolePage): Promise<void> {
  await go(page, '#/control/worlds');
  await page.locator('.form-line input').fill('blue');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const link = '.issue a[href$="@blue/"]';
  await page.waitForSelector(link);
  const address = await page.evaluate<string>(`document.querySelector('${link}').href`);
  const other = await page.context().newPage();
  await other.goto(address);
  await other.waitForSelector('.demo-bar:has-text("blue")');
  await addEmail(other, 'blue@example.com');
  await other.close();
  await go(page, '#/users/ada/emails');
  await page.waitForSelector('.table:has-text("ada@example.com"):not(:has-text("blue@"))');
  await go(page, '#/control/worlds');
  await page.getByRole('button', { name: 'Delete blue' }).click();
  await page.waitForSelector('.page-body:not(:has-text("Delete blue"))');
}

/** A file can be dropped on any screen. */
async function dropElsewhere(page: ConsolePage): Promise<void> {
  await go(page, '#/control/clock');
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([''], 'held.yaml'));
    document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await page.waitForSelector('.dropping');
  await dropFile(page, 'small-1.0.0.tgz', chartArchive('small', 'a: b'));
  await untilOutlined(page, 'small');
  await page.waitForSelector('body:not(:has(.dropping))');
  await page.getByRole('button', { name: 'Remove small' }).click();
  check('a chart that is dropped onto another screen joins the Order, which is shown', true);
}

/** Orders are compared with one in a file, and with the previous one. */
async function compare(page: ConsolePage): Promise<void> {
  const order = await page.evaluate<string>("localStorage.getItem('drydock.order')");
  await page.locator('#value-replicaCount').fill('9');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.value[data-set=true]');
  await page.getByRole('tab', { name: 'Compare' }).click();
  const [choice] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'File' }).click(),
  ]);
  await choice.setFiles({ name: 'yesterday.yaml', mimeType: 'text/yaml', buffer: Buffer.from(order) });
  await page.waitForSelector('.change:has-text("spec.replicas"):has-text("9")');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await addChart(page, 'web 1.4.2');
  await page.waitForSelector('.package');
  await page.locator('.compare-choice select').selectOption({ label: 'The previous Order' });
  await page.waitForSelector('.change:has-text("spec.replicas"):has-text("9")');
  check('an Order is compared with one of a file, and with the one that stood there before', true);
}

/** The sign-in pages: each at three widths, light and dark; by password, and through an organization. */
async function signIn(page: ConsolePage): Promise<void> {
  const root = await page.evaluate<string>('location.origin');
  // The pages themselves request nothing.
  const whoami = async (): Promise<string> => {
    await page.goto(`${root}/api/v1/user`);
    return page.evaluate('JSON.parse(document.body.textContent).login');
  };
  const found: string[] = [];
  const look = async (): Promise<void> => {
    for (const width of [1440, 820, 360]) {
      await page.setViewportSize({ width, height: 740 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await faultsOf(page)));
      }
    }
  };
  await page.goto(`${root}/user/login?redirect_to=/user/login`);
  await look();
  await page.locator('[name=user_name]').fill('bob');
  await page.locator('[name=password]').fill('a guess');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=alert]');
  await page.locator('[name=password]').fill('bob-password');
  await page.keyboard.press('Enter');
  await page.waitForSelector('button:has-text("Sign out")');
  await look();
  const first = await whoami();
  await page.goto(`${root}/user/login`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForSelector('[name=password]');
  await page.goto(`${root}/user/oauth2/org-1005?redirect_to=/user/login`);
  await page.waitForSelector('h1:has-text("Okta")');
  await look();
  await page.getByRole('button', { name: 'Sign in as eve' }).click();
  await page.waitForSelector('button:has-text("Sign out")');
  const second = await whoami();
  for (const line of found) console.log(`    ${line}`);
  check(
    `signing in ends by password (${first}) and through an organization (${second}); axe finds nothing serious`,
    first === 'bob' && second === 'eve' && found.length === 0,
  );
}

await withWeb(async (page) => {
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.onClipboard = text; } } })",
  );
  await runCopies(page);
  await workTokens(page);
  await strike(page);
  await replay(page);
  await writeScenario(page);
  await control(page);
  await dropElsewhere(page);
  await compare(page);
  await signIn(page);
});

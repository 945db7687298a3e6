import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type StepResult, type VerifyResult, verify } from '../../../emulator/cli/verify/verify.ts';
import { createEmulator, type Emulator } from '../../../emulator/index.ts';
import type { Json } from '../../../emulator/store/json.ts';

type Members = Record<string, Json>;

/** A deliberate change of one response. */
interface Change {
  readonly status?: number;
  /** Set in the body, or in each of its items. */
  readonly set?: Members;
  /** Removed from the body, or from each of its items. */
  readonly drop?: string;
  readonly json?: (json: Json) => Json;
  readonly header?: readonly [name: string, value: string | undefined];
}

/** A change with the expected report, in which the deployment is `there` and the emulator `here`. `request` is method and path, then `anonymous` without a token. */
interface Plant extends Change {
  readonly request: string;
  readonly step: string;
  readonly found: string;
}

type Answer = { status: number; readonly headers: Headers; json: Json };

function spoil(answer: Answer, { status, set, drop, json, header }: Change): void {
  for (const item of [answer.json].flat() as Members[]) {
    if (set) Object.assign(item, set);
    if (drop !== undefined) Reflect.deleteProperty(item, drop);
  }
  if (json) answer.json = json(answer.json);
  if (status !== undefined) answer.status = status;
  if (header?.[1] === undefined) answer.headers.delete(header?.[0] ?? 'none');
  else answer.headers.set(header[0], header[1]);
}

const rows: readonly (readonly [request: string, step: string, found: string, change: Change])[] = [
  ['GET /version', 'getVersion', 'body.version is a number there, a string', { set: { version: 1 } }],
  ['GET /user', 'getCurrentUser', 'body.language is missing there', { drop: 'language' }],
  ['GET /user', 'getCurrentUser', 'body.shoe_size is missing here', { set: { shoe_size: 40 } }],
  ['GET /user', 'getCurrentUser', 'body.created is a string there, a time', { set: { created: 'yesterday' } }],
  ['GET /user anonymous', 'getCurrentUser, nobody', 'status is 403 there, 401', { status: 403 }],
  ['GET /user/emails', 'listEmails', 'body[].verified is a string there, true or', { set: { verified: 'yes' } }],
  ['GET /user/emails', 'listEmails', 'body[].primary is missing there', { drop: 'primary' }],
  ['GET /user/emails anonymous', 'listEmails, nobody', 'body is a list there, an object', { json: () => [] }],
  [
    'GET /user/followers?limit=2',
    'listFollowers',
    'headers.x-total-count is missing there',
    { header: ['x-total-count', undefined] },
  ],
  ['GET /user/following?limit=2', 'listFollowing', 'headers.link is missing there', { header: ['link', undefined] }],
  ['GET /user/following?limit=2', 'listFollowing', 'body[].id is a string there, a number', { set: { id: '5' } }],
  ['GET /user/following/drydock-verify-nobody', 'checkFollowing, unknown', 'status is 400 there, 404', { status: 400 }],
  ['GET /user/teams', 'listTeams', 'body[].units is a string there, a list', { set: { units: 'all' } }],
  ['GET /user/teams', 'listTeams', 'body[].organization.', { set: { organization: { id: 1 } } }],
  ['GET /user/orgs', 'listOrganizations', 'body[].visibility is a number there', { set: { visibility: 3 } }],
  [
    'GET /user/settings/organizations',
    'listSettingsOrganizations',
    'body is an object there, a list',
    { json: (list) => ({ list }) },
  ],
  ['GET /users/ada/orgs', 'listUserOrganizations', 'status is 204 there, 200', { status: 204 }],
  [
    'GET /orgs/drydock-verify-nobody',
    'getOrganization, unknown',
    'headers.content-type is text/plain there',
    { header: ['content-type', 'text/plain'] },
  ],
  ['GET /user/clusters', 'listClusters', 'body[].nodeCount is missing there', { drop: 'nodeCount' }],
  ['GET /user/clusters', 'listClusters', 'body[].status is a string there, an object', { set: { status: 'Active' } }],
  ['GET /user/clusters?all=true', 'listClusters, all', 'body[].nodes is missing here', { set: { nodes: [] } }],
  ['GET /user/clusters anonymous', 'listClusters, nobody', 'status is 302 there, 401', { status: 302 }],
  [
    'GET /user/credentials/drydock-verify-nobody',
    'getCredential, unknown',
    'status is 500 there, 404',
    { status: 500 },
  ],
  ['GET /user/login-method?username=ada', 'getLoginMethod', 'body.method is a number there', { set: { method: 5 } }],
  ['GET /user/login-method', 'getLoginMethod, of nobody', 'status is 422 there, 400', { status: 422 }],
  [
    'GET /user/msgbus/credentials',
    'getMsgbusCredentials',
    'body.msgbusEndpoints is an object there, a list',
    { set: { msgbusEndpoints: {} } },
  ],
  ['GET /user/msgbus/admin_credentials', 'getMsgbusAdminCredentials', 'status is 302 there, 200', { status: 302 }],
  [
    'GET /user/inbox/subscriptions',
    'listSubscriptions',
    'body[].createdAt is a number there, a time',
    { set: { createdAt: 5 } },
  ],
  [
    'GET /orgs/harbor/subscriptions',
    'checkOrganizationSubscription',
    'headers.location is missing here',
    { header: ['location', '/'] },
  ],
  ['POST /user/validate/email', 'validateEmail, none', 'status is 409 there', { status: 409 }],
  ['GET /user/drydock-verify-nobody', 'an unknown address', 'status is 200 there, 404', { status: 200 }],
];
const plants = rows.map(
  ([request, step, found, change]): Plant => ({ request: request.replace(' /', ' /api/v1/'), step, found, ...change }),
);

// A group has at most one change of a request, so that each is found by itself.
const groups: Plant[][] = [];
for (const plant of plants) {
  const free = groups.find((group) => group.every(({ request }) => request !== plant.request));
  if (free === undefined) groups.push([plant]);
  else free.push(plant);
}

describe('verify', () => {
  let server: Server;
  let emulator: Emulator;
  let url = '';
  let planted: readonly Plant[] = [];

  before(async () => {
    emulator = createEmulator();
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const { method = 'GET', url: target = '/' } = request;
      const answer = await emulator.fetch(target, {
        method,
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const kind = request.headers.authorization === undefined ? ' anonymous' : '';
      const changed = {
        status: answer.status,
        headers: answer.headers,
        json: text === '' ? null : (JSON.parse(text) as Json),
      };
      for (const plant of planted) if (plant.request === `${method} ${target}${kind}`) spoil(changed, plant);
      changed.headers.delete('content-length');
      response.writeHead(changed.status, Object.fromEntries(changed.headers));
      response.end(text === '' || changed.status === 204 ? '' : JSON.stringify(changed.json));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const take = (write = false): Promise<VerifyResult> =>
    verify({ against: url, token: emulator.users()[0]?.token ?? '', write });
  const differing = ({ steps }: VerifyResult): readonly StepResult[] =>
    steps.filter(({ differences }) => differences.length > 0);

  test('finds nothing between identical sides in two runs, and leaves nothing behind', async () => {
    planted = [];
    const before = JSON.stringify(emulator.world().exportSnapshot()?.state.rows.email);
    for (let run = 0; run < 2; run++) {
      const result = await take(true);
      assert.deepEqual(differing(result), []);
      assert.ok(result.steps.filter(({ skipped }) => skipped === undefined).length >= 45, 'most steps are taken');
    }
    assert.equal(JSON.stringify(emulator.world().exportSnapshot()?.state.rows.email), before);
  });

  for (const [at, group] of groups.entries()) {
    test(`finds every planted difference and nothing else, group ${at + 1}`, async () => {
      planted = group;
      const found = differing(await take());
      assert.deepEqual(new Set(found.map(({ name }) => name)), new Set(group.map(({ step }) => step)));
      for (const { step, found: text } of group) {
        const lines = found
          .filter(({ name }) => name === step)
          .flatMap(({ differences }) => differences.map(({ path, message }) => `${path} ${message}`))
          .map((line) => line.replace('in the deployment', 'there').replace('in the emulator', 'here'));
        assert.ok(
          lines.some((line) => line.startsWith(text)),
          `${step}: ${text}: ${lines.join(', ')}`,
        );
      }
    });
  }

  test('fails for an unreachable deployment and for an invalid token', async () => {
    planted = [];
    await assert.rejects(
      verify({ against: 'http://127.0.0.1:1', token: 'x', write: false }),
      /^VerifyError: http:\/\/127\.0\.0\.1:1 did not answer: /,
    );
    await assert.rejects(verify({ against: url, token: 'nonsense', write: false }), /returned 401: use a valid token/);
  });
});

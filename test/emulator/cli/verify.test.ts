import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type StepResult, type VerifyResult, verify } from '../../../emulator/cli/verify/verify.ts';
import { createEmulator, type Emulator } from '../../../emulator/index.ts';
import type { Json } from '../../../emulator/store/json.ts';

type Members = Record<string, Json>;

/** A deliberate difference in one response, and the expected report. */
interface Plant {
  /** Method and path as the deployment sees them, then `anonymous` without a token. */
  readonly request: string;
  readonly step: string;
  readonly found: string;
  readonly status?: number;
  /** Set in the body, or in each of its items. */
  readonly set?: Members;
  /** Removed from the body, or from each of its items. */
  readonly drop?: string;
  readonly json?: (json: Json) => Json;
  readonly header?: readonly [name: string, value: string | undefined];
}

type Answer = { status: number; readonly headers: Headers; json: Json };

function spoil(answer: Answer, { status, set, drop, json, header }: Plant): void {
  for (const item of [answer.json].flat() as Members[]) {
    if (set) Object.assign(item, set);
    if (drop !== undefined) Reflect.deleteProperty(item, drop);
  }
  if (json) answer.json = json(answer.json);
  if (status !== undefined) answer.status = status;
  if (header?.[1] === undefined) answer.headers.delete(header?.[0] ?? 'none');
  else answer.headers.set(header[0], header[1]);
}

const at = (address: string): string => address.replace(' /', ' /api/v1/');

const plants: readonly Plant[] = [
  {
    request: at('GET /version'),
    set: { version: 1 },
    step: 'getVersion',
    found: 'body.version is a number in the deployment, a string',
  },
  {
    request: at('GET /user'),
    drop: 'language',
    step: 'getCurrentUser',
    found: 'body.language is missing in the deployment',
  },
  {
    request: at('GET /user'),
    set: { shoe_size: 40 },
    step: 'getCurrentUser',
    found: 'body.shoe_size is missing in the emulator',
  },
  {
    request: at('GET /user'),
    set: { created: 'yesterday' },
    step: 'getCurrentUser',
    found: 'body.created is a string in the deployment, a time',
  },
  {
    request: at('GET /user anonymous'),
    status: 403,
    step: 'getCurrentUser, nobody',
    found: 'status is 403 in the deployment, 401',
  },
  {
    request: at('GET /user/emails'),
    set: { verified: 'yes' },
    step: 'listEmails',
    found: 'body[].verified is a string in the deployment, true or',
  },
  {
    request: at('GET /user/emails'),
    drop: 'primary',
    step: 'listEmails',
    found: 'body[].primary is missing in the deployment',
  },
  {
    request: at('GET /user/emails anonymous'),
    json: () => [],
    step: 'listEmails, nobody',
    found: 'body is a list in the deployment, an object',
  },
  {
    request: at('GET /user/followers?limit=2'),
    header: ['x-total-count', undefined],
    step: 'listFollowers',
    found: 'headers.x-total-count is missing in the deployment',
  },
  {
    request: at('GET /user/following?limit=2'),
    header: ['link', undefined],
    step: 'listFollowing',
    found: 'headers.link is missing in the deployment',
  },
  {
    request: at('GET /user/following?limit=2'),
    set: { id: '5' },
    step: 'listFollowing',
    found: 'body[].id is a string in the deployment, a number',
  },
  {
    request: at('GET /user/following/drydock-verify-nobody'),
    status: 400,
    step: 'checkFollowing, unknown',
    found: 'status is 400 in the deployment, 404',
  },
  {
    request: at('GET /user/teams'),
    set: { units: 'all' },
    step: 'listTeams',
    found: 'body[].units is a string in the deployment, a list',
  },
  {
    request: at('GET /user/teams'),
    set: { organization: { id: 1 } },
    step: 'listTeams',
    found: 'body[].organization.',
  },
  {
    request: at('GET /user/orgs'),
    set: { visibility: 3 },
    step: 'listOrganizations',
    found: 'body[].visibility is a number in the deployment',
  },
  {
    request: at('GET /user/settings/organizations'),
    json: (list) => ({ list }),
    step: 'listSettingsOrganizations',
    found: 'body is an object in the deployment, a list',
  },
  {
    request: at('GET /users/ada/orgs'),
    status: 204,
    step: 'listUserOrganizations',
    found: 'status is 204 in the deployment, 200',
  },
  {
    request: at('GET /orgs/drydock-verify-nobody'),
    header: ['content-type', 'text/plain'],
    step: 'getOrganization, unknown',
    found: 'headers.content-type is text/plain in the deployment',
  },
  {
    request: at('GET /user/clusters'),
    drop: 'nodeCount',
    step: 'listClusters',
    found: 'body[].nodeCount is missing in the deployment',
  },
  {
    request: at('GET /user/clusters'),
    set: { status: 'Active' },
    step: 'listClusters',
    found: 'body[].status is a string in the deployment, an object',
  },
  {
    request: at('GET /user/clusters?all=true'),
    set: { nodes: [] },
    step: 'listClusters, all',
    found: 'body[].nodes is missing in the emulator',
  },
  {
    request: at('GET /user/clusters anonymous'),
    status: 302,
    step: 'listClusters, nobody',
    found: 'status is 302 in the deployment, 401',
  },
  {
    request: at('GET /user/credentials/drydock-verify-nobody'),
    status: 500,
    step: 'getCredential, unknown',
    found: 'status is 500 in the deployment, 404',
  },
  {
    request: at('GET /user/login-method?username=ada'),
    set: { method: 5 },
    step: 'getLoginMethod',
    found: 'body.method is a number in the deployment',
  },
  {
    request: at('GET /user/login-method'),
    status: 422,
    step: 'getLoginMethod, of nobody',
    found: 'status is 422 in the deployment, 400',
  },
  {
    request: at('GET /user/msgbus/credentials'),
    set: { msgbusEndpoints: {} },
    step: 'getMsgbusCredentials',
    found: 'body.msgbusEndpoints is an object in the deployment, a list',
  },
  {
    request: at('GET /user/msgbus/admin_credentials'),
    status: 302,
    step: 'getMsgbusAdminCredentials',
    found: 'status is 302 in the deployment, 200',
  },
  {
    request: at('GET /user/inbox/subscriptions'),
    set: { createdAt: 5 },
    step: 'listSubscriptions',
    found: 'body[].createdAt is a number in the deployment, a time',
  },
  {
    request: at('GET /orgs/harbor/subscriptions'),
    header: ['location', '/'],
    step: 'checkOrganizationSubscription',
    found: 'headers.location is missing in the emulator',
  },
  {
    request: at('POST /user/validate/email'),
    status: 409,
    step: 'validateEmail, none',
    found: 'status is 409 in the deployment',
  },
  {
    request: at('GET /user/drydock-verify-nobody'),
    status: 200,
    step: 'an unknown address',
    found: 'status is 200 in the deployment, 404',
  },
];

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

  test('finds nothing between identical sides in six runs, and leaves nothing behind', async () => {
    planted = [];
    const before = JSON.stringify(emulator.world().exportSnapshot()?.state.rows.email);
    for (let run = 0; run < 6; run++) {
      const result = await take(true);
      assert.deepEqual(differing(result), []);
      assert.ok(result.steps.filter(({ skipped }) => skipped === undefined).length >= 45, 'most steps are taken');
    }
    assert.equal(JSON.stringify(emulator.world().exportSnapshot()?.state.rows.email), before);
  });

  test('finds every planted difference and nothing else', async () => {
    planted = plants;
    const result = await take();
    const missed = plants.filter(
      ({ step, found }) =>
        !result.steps
          .find(({ name }) => name === step)
          ?.differences.some(({ path, message }) => `${path} ${message}`.startsWith(found)),
    );
    assert.deepEqual(
      missed.map(({ step, found }) => `${step}: ${found}`),
      [],
    );
    const steps = new Set(plants.map(({ step }) => step));
    assert.deepEqual(
      differing(result)
        .map(({ name }) => name)
        .filter((name) => !steps.has(name)),
      [],
    );
  });

  test('finds each of them individually', async () => {
    for (const plant of plants) {
      planted = [plant];
      assert.deepEqual(
        differing(await take()).map(({ name }) => name),
        [plant.step],
        plant.found,
      );
    }
  });

  test('fails for an unreachable deployment and for an invalid token', async () => {
    planted = [];
    await assert.rejects(
      verify({ against: 'http://127.0.0.1:1', token: 'x', write: false }),
      /^VerifyError: http:\/\/127\.0\.0\.1:1 did not answer: /,
    );
    await assert.rejects(verify({ against: url, token: 'nonsense', write: false }), /returned 401: use a valid token/);
  });
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type StepResult, type VerifyResult, verify } from '../../../emulator/cli/verify/verify.ts';
import { createEmulator } from '../../../emulator/index.ts';
import type { Json } from '../../../emulator/store/json.ts';
import { captureCommand } from '../../support/cli.ts';
import { listen, type Running } from '../../support/loopback.ts';

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
type Plant = readonly [request: string, step: string, found: string, change: Change];

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

// Each request has at most one change, so that each is found by itself.
const rows: readonly Plant[] = [
  ['GET /version', 'getVersion', 'body.version is a number there, a string', { set: { version: 1 } }],
  ['GET /user', 'getCurrentUser', 'body.created is a string there, a time', { set: { created: 'yesterday' } }],
  ['GET /user anonymous', 'getCurrentUser, nobody', 'status is 403 there, 401', { status: 403 }],
  ['GET /user/emails', 'listEmails', 'body[].primary is missing there', { drop: 'primary' }],
  ['GET /user/emails anonymous', 'listEmails, nobody', 'body is a list there, an object', { json: () => [] }],
  ['GET /user/following?limit=2', 'listFollowing', 'headers.link is missing there', { header: ['link', undefined] }],
  ['GET /user/teams', 'listTeams', 'body[].organization.', { set: { organization: { id: 1 } } }],
  ['GET /user/clusters?all=true', 'listClusters, all', 'body[].nodes is missing here', { set: { nodes: [] } }],
  [
    'GET /orgs/drydock-verify-nobody',
    'getOrganization, unknown',
    'headers.content-type is text/plain there',
    { header: ['content-type', 'text/plain'] },
  ],
  [
    'GET /orgs/harbor/subscriptions',
    'checkOrganizationSubscription',
    'headers.location is missing here',
    { header: ['location', '/'] },
  ],
];
const plants = rows.map(([request, ...more]): Plant => [request.replace(' /', ' /api/v1/'), ...more]);

describe('verify', () => {
  const emulator = createEmulator();
  let server: Running;
  let url = '';
  let planted: readonly Plant[] = [];

  before(async () => {
    const deployment = createServer(async (request, response) => {
      const body = await buffer(request);
      const { method = 'GET', url: target = '/' } = request;
      const answer = await emulator.fetch(target, {
        method,
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const { status, headers } = answer;
      const text = await answer.text();
      const kind = request.headers.authorization === undefined ? ' anonymous' : '';
      const changed = { status, headers, json: text === '' ? null : (JSON.parse(text) as Json) };
      for (const [sent, , , change] of planted) if (sent === `${method} ${target}${kind}`) spoil(changed, change);
      headers.delete('content-length');
      response.writeHead(changed.status, Object.fromEntries(headers));
      response.end(text === '' || changed.status === 204 ? '' : JSON.stringify(changed.json));
    });
    server = await listen(deployment);
    url = `http://${server.host}`;
  });
  after(() => server.stop());

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

  test('finds every planted difference and nothing else', async () => {
    planted = plants;
    const found = differing(await take());
    assert.deepEqual(new Set(found.map(({ name }) => name)), new Set(plants.map(([, step]) => step)));
    for (const [, step, text] of plants) {
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

  test('fails for an unreachable deployment and for an invalid token', async () => {
    planted = [];
    await assert.rejects(
      verify({ against: 'http://127.0.0.1:1', token: 'x', write: false }),
      /^VerifyError: http:\/\/127\.0\.0\.1:1 did not answer: /,
    );
    await assert.rejects(verify({ against: url, token: 'nonsense', write: false }), /returned 401: use a valid token/);
  });

  test('a token that no header can hold is refused, and not printed', async () => {
    const argv = ['verify', '--against', url, '--token', 'first\nsecond'];
    const { exitCode, stderr } = await captureCommand(argv, { cwd: import.meta.dirname, env: {} });
    assert.equal(exitCode, 2);
    assert.match(stderr, /^Error: the access token has characters that a header cannot hold\n/);
    assert.doesNotMatch(stderr, /second/);
  });

  test('fails for an address that responds with a page, or stops in the middle of a response', async () => {
    const other = await listen(
      createServer((request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': 9 });
        if (request.url?.startsWith('/page')) response.end('<!doctype');
        else response.write('<', () => response.destroy());
      }),
    );
    const against = `http://${other.host}`;
    const fails = (path: string, message: RegExp): Promise<void> =>
      assert.rejects(verify({ against: against + path, token: 'x', write: false }), { name: 'VerifyError', message });
    await fails('/page', /returned no JSON object: use the URL in front of \/api\/v1$/);
    await fails('/cut', /did not answer: /);
    await other.stop();
  });
});

// Every row of the API document's endpoint and error tables as a call with its outcome. No Node here: pages run it too.

/** Is one call and what must come back. */
export interface ApiRow {
  /** The row of the document: method and path as written there, and the status. */
  readonly row: string;
  readonly status: number;
  /** Login of the caller; nobody without it. */
  readonly as?: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that come first, in the same world. */
  readonly before?: readonly Pick<ApiRow, 'as' | 'method' | 'path' | 'body'>[];
  /** Sets up the world through a control route first: method, path, body. */
  readonly control?: readonly [string, string, unknown?];
  /** Runs on an emulator that is hosted, or is not; both without it. */
  readonly hosted?: boolean;
  /** What a page can send or see instead: it has no body for GET and cannot see a redirect. */
  readonly inPage?: Partial<Pick<ApiRow, 'method' | 'path' | 'headers' | 'status'>>;
  /** Throws when the answer is not right. */
  readonly check?: (answer: ApiAnswer) => void;
}

/** Is an answer, read. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The text as JSON, or undefined. */
  readonly json: unknown;
  header(name: string): string | null;
}

/** The endpoint tables of the document: method, path, success status. */
export const documentEndpoints: readonly (readonly [string, string, number])[] = [
  ['GET', '/user', 200],
  ['GET', '/user/signout', 200],
  ['GET', '/user/login-method', 200],
  ['GET', '/user/cloudmsg-token', 200],
  ['GET', '/user/msgbus/credentials', 200],
  ['GET', '/user/msgbus/admin_credentials', 200],
  ['GET', '/user/msgbus/user_credentials', 200],
  ['GET', '/user/msgbus/cluster-resource-history', 200],
  ['GET', '/user/emails', 200],
  ['POST', '/user/emails', 201],
  ['DELETE', '/user/emails', 204],
  ['GET', '/user/followers', 200],
  ['GET', '/user/following', 200],
  ['GET', '/user/following/{username}', 204],
  ['PUT', '/user/following/{username}', 204],
  ['DELETE', '/user/following/{username}', 204],
  ['GET', '/user/teams', 200],
  ['GET', '/user/orgs', 200],
  ['GET', '/user/clusters', 200],
  ['GET', '/user/credentials', 200],
  ['GET', '/user/credentials/{credName}', 200],
  ['POST', '/user/credentials', 201],
  ['PUT', '/user/credentials/', 204],
  ['DELETE', '/user/credentials/{credName}', 204],
  ['GET', '/user/clouds/{cloud}/buckets', 200],
  ['POST', '/user/validate/username', 200],
  ['POST', '/user/validate/orgname', 200],
  ['POST', '/user/validate/email', 200],
  ['GET', '/user/inbox/subscriptions', 200],
  ['POST', '/user/deploy/orders', 200],
  ['GET', '/user/deploy/orders/{id}/render/manifest', 200],
  ['GET', '/user/deploy/orders/{id}/render/resources', 200],
  ['GET', '/user/deploy/orders/{id}/pkgmgr3', 200],
  ['GET', '/user/deploy/orders/{id}/yaml', 200],
  ['GET', '/users/{username}/orgs', 200],
  ['GET', '/orgs/{orgname}', 200],
  ['GET', '/user/settings/organizations', 200],
];

/** The error table of the document: status, method, path. */
export const documentErrors: readonly (readonly [number, string, string])[] = [
  [400, 'GET', '/user/login-method'],
  [400, 'POST', '/user/deploy/orders'],
  [400, 'GET', '/user/msgbus/cluster-resource-history'],
  [404, 'GET', '/user/following/{username}'],
  [404, 'GET', '/user/credentials/{credName}'],
  [404, 'DELETE', '/user/credentials/{credName}'],
  [404, 'GET', '/user/cloudmsg-token'],
  [302, 'GET', '/user/msgbus/user_credentials'],
  [302, 'GET', '/user/clusters'],
];

const json = { 'Content-Type': 'application/json' };
const redirect = { status: 0 } as const;
const prodEu = 'cluster_uid=1';
const bucketOptions = { credential: 'aws-main', cluster_uid: '1' };
/** The uids of the seeded orders. */
export const seededOrders = { ada: '{{ada}}', bob: '{{bob}}' };

function expect(truth: boolean, message: string): void {
  if (!truth) throw new Error(message);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function names(...wanted: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    for (const name of wanted) expect(field(value, name) !== undefined, `no ${name} in ${text}`);
  };
}

function listOf(length: number, ...wanted: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    expect(Array.isArray(value) && value.length === length, `expected a list of ${length}, got ${text.slice(0, 200)}`);
    for (const item of value as readonly unknown[]) {
      for (const name of wanted) expect(field(item, name) !== undefined, `no ${name} in ${JSON.stringify(item)}`);
    }
  };
}

function is(name: string, want: unknown): (answer: ApiAnswer) => void {
  return ({ json: value }) => {
    const got = JSON.stringify(field(value, name));
    expect(got === JSON.stringify(want), `${name} is ${got}, expected ${JSON.stringify(want)}`);
  };
}

function holds(...parts: readonly string[]): (answer: ApiAnswer) => void {
  return ({ text }) => {
    for (const part of parts) expect(text.includes(part), `no ${JSON.stringify(part)} in ${text.slice(0, 300)}`);
  };
}

const nothing = ({ text }: ApiAnswer): void => expect(text === '', `expected no body, got ${text.slice(0, 200)}`);

const order = {
  spec: {
    packages: [
      {
        chart: {
          name: 'web',
          sourceRef: { kind: 'Embed', name: 'fixtures' },
          version: '1.4.2',
          releaseName: 'shop',
          namespace: 'shop',
        },
      },
    ],
  },
};

/** Rows of success: each endpoint of the document at least once. */
const successes: readonly ApiRow[] = [
  { row: 'GET /user', status: 200, as: 'ada', method: 'GET', path: '/user', check: is('login', 'ada') },
  {
    row: 'GET /user',
    status: 200,
    as: 'dan',
    method: 'GET',
    path: '/user?check_client_org=true',
    check: is('clientOrgUser', true),
  },
  { row: 'GET /user', status: 200, as: 'dan', method: 'GET', path: '/user', check: is('clientOrgUser', undefined) },
  { row: 'GET /user/signout', status: 200, as: 'bob', method: 'GET', path: '/user/signout', check: nothing },
  {
    row: 'GET /user/login-method',
    status: 200,
    method: 'GET',
    path: '/user/login-method?orgname=harbor',
    check: is('method', 'sso'),
  },
  {
    row: 'GET /user/login-method',
    status: 200,
    method: 'GET',
    path: '/user/login-method?username=eve',
    check: is('oauthCallbackPath', '/user/oauth2/org-1005'),
  },
  {
    row: 'GET /user/login-method',
    status: 200,
    method: 'GET',
    path: '/user/login-method?orgname=northwind',
    check: ({ text }) => expect(text === '{"method":"password"}\n', text),
  },
  {
    row: 'GET /user/login-method',
    status: 200,
    method: 'GET',
    path: '/user/login-method?username=nobody',
    check: is('method', 'password'),
  },
  {
    row: 'GET /user/cloudmsg-token',
    status: 200,
    hosted: true,
    as: 'ada',
    method: 'GET',
    path: '/user/cloudmsg-token',
    check: names('cloudmsgToken'),
  },
  {
    row: 'GET /user/msgbus/credentials',
    status: 200,
    as: 'hana',
    method: 'GET',
    path: '/user/msgbus/credentials',
    check: names('msgbusEndpoints', 'credentials'),
  },
  {
    row: 'GET /user/msgbus/admin_credentials',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: '/user/msgbus/admin_credentials',
    check: names('credentials'),
  },
  {
    row: 'GET /user/msgbus/user_credentials',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: '/user/msgbus/user_credentials?user=bob',
    check: names('credentials'),
  },
  {
    row: 'GET /user/msgbus/cluster-resource-history',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: `/user/msgbus/cluster-resource-history?${prodEu}`,
    check: names('items'),
  },
  {
    row: 'GET /user/emails',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/emails',
    check: listOf(3, 'email', 'verified', 'primary'),
  },
  {
    row: 'POST /user/emails',
    status: 201,
    as: 'hana',
    method: 'POST',
    path: '/user/emails',
    body: { emails: ['hana@work.example.com'] },
    check: listOf(2, 'email'),
  },
  {
    row: 'DELETE /user/emails',
    status: 204,
    as: 'cleo',
    method: 'DELETE',
    path: '/user/emails',
    body: { emails: ['cleo@home.example.net'] },
    check: nothing,
  },
  {
    row: 'GET /user/followers',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/followers?page=3',
    check: listOf(10, 'login', 'avatar_url'),
  },
  {
    row: 'GET /user/following',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/following',
    check: listOf(30, 'login'),
  },
  {
    row: 'GET /user/following/{username}',
    status: 204,
    as: 'bob',
    method: 'GET',
    path: '/user/following/ada',
    check: nothing,
  },
  {
    row: 'PUT /user/following/{username}',
    status: 204,
    as: 'hana',
    method: 'PUT',
    path: '/user/following/ada',
    check: nothing,
  },
  {
    row: 'DELETE /user/following/{username}',
    status: 204,
    as: 'bob',
    method: 'DELETE',
    path: '/user/following/ada',
    check: nothing,
  },
  {
    row: 'GET /user/teams',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/teams',
    check: listOf(4, 'id', 'organization', 'permission', 'units', 'role_ids'),
  },
  {
    row: 'GET /user/orgs',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/orgs',
    check: listOf(3, 'id', 'username', 'visibility'),
  },
  {
    row: 'GET /user/settings/organizations',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/settings/organizations',
    check: listOf(3, 'id'),
  },
  {
    row: 'GET /users/{username}/orgs',
    status: 200,
    method: 'GET',
    path: '/users/cleo/orgs',
    check: listOf(1, 'username'),
  },
  { row: 'GET /orgs/{orgname}', status: 200, method: 'GET', path: '/orgs/Harbor', check: is('username', 'harbor') },
  {
    row: 'GET /user/clusters',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/clusters',
    check: listOf(1, 'uid', 'status', 'age'),
  },
  {
    row: 'GET /user/clusters',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/clusters?all=true',
    check: listOf(7, 'uid'),
  },
  {
    row: 'GET /user/credentials',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/credentials',
    check: listOf(16, 'creationTimestamp'),
  },
  {
    row: 'GET /user/credentials',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/credentials?credential_type=Aws&credential_type=Azure,Linode',
    check: listOf(3, 'type'),
  },
  {
    row: 'GET /user/credentials',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/credentials?mgmt_endpoint=https://mgmt-us.harbor.example.com',
    check: listOf(1, 'rancher'),
  },
  {
    row: 'GET /user/credentials/{credName}',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/credentials/aws-main',
    check: is('name', 'aws-main'),
  },
  {
    row: 'POST /user/credentials',
    status: 201,
    as: 'hana',
    method: 'POST',
    path: '/user/credentials',
    body: { name: 'mine', type: 'Vultr', vultr: { token: 'x' } },
    check: nothing,
  },
  {
    row: 'PUT /user/credentials/',
    status: 204,
    as: 'bob',
    method: 'PUT',
    path: '/user/credentials/',
    body: { name: 'vultr', type: 'Vultr', vultr: {} },
    check: nothing,
  },
  {
    row: 'DELETE /user/credentials/{credName}',
    status: 204,
    as: 'bob',
    method: 'DELETE',
    path: '/user/credentials/vultr',
    check: nothing,
  },
  {
    row: 'GET /user/clouds/{cloud}/buckets',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: '/user/clouds/aws/buckets',
    body: bucketOptions,
    inPage: { path: '/user/clouds/aws/buckets?credential=aws-main&cluster_uid=1' },
    check: is('names', ['harbor-assets', 'harbor-backups', 'harbor-logs']),
  },
  {
    row: 'GET /user/clouds/{cloud}/buckets',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/clouds/aws/buckets',
    headers: { 'X-HTTP-Method-Override': 'GET' },
    body: bucketOptions,
    check: names('names'),
  },
  {
    row: 'POST /user/validate/username',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/username?user_name=new-name',
    check: is('Status', 'VALID'),
  },
  {
    row: 'POST /user/validate/username',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/username?user_name=Harbor',
    check: is('Status', 'USER_EXISTS'),
  },
  {
    row: 'POST /user/validate/username',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/username?user_name=admin',
    check: is('Status', 'RESERVED'),
  },
  {
    row: 'POST /user/validate/username',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/username',
    check: is('Status', 'INVALID'),
  },
  {
    row: 'POST /user/validate/orgname',
    status: 200,
    as: 'dan',
    method: 'POST',
    path: '/user/validate/orgname?user_name=fresh',
    check: is('Status', 'NOT_ALLOWED'),
  },
  {
    row: 'POST /user/validate/orgname',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/orgname?org=harbor&user_name=HARBOR',
    check: is('Status', 'VALID'),
  },
  {
    row: 'POST /user/validate/email',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/email?email=x%40mailinator.example',
    check: is('Status', 'NOT_ALLOWED'),
  },
  {
    row: 'POST /user/validate/email',
    status: 200,
    as: 'bob',
    method: 'POST',
    path: '/user/validate/email?email=ADA%40example.com',
    check: is('Status', 'USER_EXISTS'),
  },
  {
    row: 'GET /user/inbox/subscriptions',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/inbox/subscriptions',
    check: listOf(6, 'subscriberID', 'scope'),
  },
  {
    row: 'GET /user/inbox/subscriptions',
    status: 200,
    as: 'cleo',
    method: 'GET',
    path: '/user/inbox/subscriptions?scope=resource&version=v1&resource=deployments',
    check: listOf(1, 'resourceName'),
  },
  {
    row: 'POST /user/deploy/orders',
    status: 200,
    as: 'hana',
    method: 'POST',
    path: '/user/deploy/orders',
    body: order,
    check: names('apiVersion', 'kind', 'metadata', 'spec'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/render/manifest',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.ada}/render/manifest`,
    check: holds('kind: Deployment', 'web@1.4.2'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/render/resources',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.bob}/render/resources`,
    check: listOf(2, 'name', 'version', 'sourceRef', 'releaseName', 'namespace', 'crds', 'resources'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/render/resources',
    status: 200,
    as: 'bob',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.bob}/render/resources?skipCRDs=1&format=json`,
    check: holds('"crds":[]'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/pkgmgr3',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.ada}/pkgmgr3`,
    check: holds('"os":"linux"', '"os":"darwin"', 'helm'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/yaml',
    status: 200,
    as: 'ada',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.ada}/yaml?format=raw`,
    check: holds('kubectl'),
  },
];

/** Rows of failure: the document's error table and what the decisions add to it. */
const failures: readonly ApiRow[] = [
  {
    row: 'GET /user/login-method',
    status: 400,
    method: 'GET',
    path: '/user/login-method',
    check: names('message', 'url'),
  },
  {
    row: 'POST /user/deploy/orders',
    status: 400,
    as: 'ada',
    method: 'POST',
    path: '/user/deploy/orders',
    body: { spec: { packages: [] } },
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/msgbus/cluster-resource-history',
    status: 400,
    as: 'ada',
    method: 'GET',
    path: '/user/msgbus/cluster-resource-history',
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/following/{username}',
    status: 404,
    as: 'ada',
    method: 'GET',
    path: '/user/following/dan',
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/credentials/{credName}',
    status: 404,
    as: 'ada',
    method: 'GET',
    path: '/user/credentials/nope',
    check: names('message', 'url'),
  },
  {
    row: 'DELETE /user/credentials/{credName}',
    status: 404,
    as: 'ada',
    method: 'DELETE',
    path: '/user/credentials/nope',
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/cloudmsg-token',
    status: 404,
    hosted: false,
    as: 'ada',
    method: 'GET',
    path: '/user/cloudmsg-token',
    check: ({ text }) => expect(text === '{"message":"Not Found"}\n', text),
  },
  {
    row: 'GET /user/msgbus/user_credentials',
    status: 302,
    as: 'ada',
    method: 'GET',
    path: '/user/msgbus/user_credentials',
    inPage: redirect,
    check: nothing,
  },
  {
    row: 'GET /user/clusters',
    status: 302,
    as: 'hana',
    method: 'GET',
    path: '/user/clusters?all=true',
    inPage: redirect,
    check: nothing,
  },
  {
    row: 'GET /user/clusters',
    status: 302,
    as: 'bob',
    control: ['PUT', '/scenarios/no-organization-context'],
    method: 'GET',
    path: '/user/clusters?all=true',
    inPage: redirect,
  },
  { row: 'GET /user', status: 401, method: 'GET', path: '/user', check: names('message', 'url') },
  {
    row: 'GET /user',
    status: 401,
    method: 'GET',
    path: '/user',
    headers: { Authorization: 'token nope-nope-nope' },
    check: names('message', 'url'),
  },
  {
    row: 'GET /user',
    status: 401,
    method: 'GET',
    path: '/user',
    headers: { Authorization: 'nonsense' },
    check: names('message', 'url'),
  },
  {
    row: 'GET /user',
    status: 401,
    as: 'ada',
    control: ['PUT', '/scenarios/expired-token'],
    method: 'GET',
    path: '/user',
  },
  { row: 'GET /user', status: 403, as: 'finn', method: 'GET', path: '/user', check: is('url', undefined) },
  { row: 'GET /user', status: 403, as: 'gus', method: 'GET', path: '/user', check: is('url', undefined) },
  {
    row: 'GET /user/msgbus/admin_credentials',
    status: 403,
    as: 'bob',
    method: 'GET',
    path: '/user/msgbus/admin_credentials',
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/msgbus/user_credentials',
    status: 403,
    as: 'bob',
    method: 'GET',
    path: '/user/msgbus/user_credentials',
  },
  {
    row: 'GET /user/msgbus/cluster-resource-history',
    status: 403,
    as: 'bob',
    method: 'GET',
    path: '/user/msgbus/cluster-resource-history',
  },
  {
    row: 'PATCH /user',
    status: 405,
    as: 'ada',
    method: 'PATCH',
    path: '/user',
    check: ({ header }) => expect(/GET/.test(header('allow') ?? 'GET'), 'no Allow'),
  },
  {
    row: 'GET /nowhere',
    status: 404,
    as: 'ada',
    method: 'GET',
    path: '/nowhere',
    check: ({ text }) => expect(text === '{"message":"Not Found"}\n', text),
  },
  {
    row: 'POST /user/emails',
    status: 422,
    as: 'ada',
    method: 'POST',
    path: '/user/emails',
    body: {},
    check: holds('emails'),
  },
  {
    row: 'POST /user/emails',
    status: 422,
    as: 'ada',
    method: 'POST',
    path: '/user/emails',
    body: { emails: ['x@example.com', 'BOB@example.com'] },
    check: holds('emails[1]', 'BOB@example.com'),
  },
  {
    row: 'DELETE /user/emails',
    status: 404,
    as: 'ada',
    method: 'DELETE',
    path: '/user/emails',
    body: { emails: ['bob@example.com'] },
  },
  {
    row: 'DELETE /user/emails',
    status: 422,
    as: 'ada',
    method: 'DELETE',
    path: '/user/emails',
    body: { emails: ['ada@example.com'] },
  },
  { row: 'PUT /user/following/{username}', status: 404, as: 'ada', method: 'PUT', path: '/user/following/harbor' },
  { row: 'PUT /user/following/{username}', status: 403, as: 'dan', method: 'PUT', path: '/user/following/ivan' },
  {
    row: 'POST /user/credentials',
    status: 422,
    as: 'bob',
    method: 'POST',
    path: '/user/credentials',
    body: { name: 'aws-main', type: 'Aws' },
  },
  {
    row: 'PUT /user/credentials/',
    status: 404,
    as: 'bob',
    method: 'PUT',
    path: '/user/credentials/',
    body: { name: 'nope', type: 'Aws' },
  },
  {
    row: 'GET /user/clouds/{cloud}/buckets',
    status: 422,
    as: 'bob',
    method: 'GET',
    path: '/user/clouds/aws/buckets',
    body: { credential: 'aws-main' },
    inPage: { path: '/user/clouds/aws/buckets?credential=aws-main' },
    check: holds('cluster_uid'),
  },
  {
    row: 'GET /user/clouds/{cloud}/buckets',
    status: 404,
    as: 'bob',
    method: 'GET',
    path: '/user/clouds/aws/buckets?credential=nope&cluster_uid=1',
  },
  {
    row: 'POST /user/deploy/orders',
    status: 422,
    as: 'bob',
    method: 'POST',
    path: '/user/deploy/orders',
    body: { spec: { packages: [{ chart: { name: 7 } }] } },
    check: holds('spec.packages[0].chart.name'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/render/manifest',
    status: 404,
    as: 'ada',
    method: 'GET',
    path: '/user/deploy/orders/nope/render/manifest',
    check: names('message', 'url'),
  },
  {
    row: 'GET /user/deploy/orders/{id}/render/resources',
    status: 422,
    as: 'ada',
    method: 'GET',
    path: `/user/deploy/orders/${seededOrders.ada}/render/resources?format=xml`,
    check: holds('query.format'),
  },
  { row: 'GET /orgs/{orgname}', status: 404, method: 'GET', path: '/orgs/northwind' },
  { row: 'GET /users/{username}/orgs', status: 404, method: 'GET', path: '/users/nobody/orgs' },
];

/** All rows. */
export const apiRows: readonly ApiRow[] = [...successes, ...failures];

/** Sends one request to the emulator and reads the answer. Redirects are not followed. */
export type Send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<ApiAnswer>;

/** Is what a run of the rows needs to know. */
export interface RowRun {
  readonly send: Send;
  /** Login to token. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Login to the uid of that person's seeded order. */
  readonly orders: ReadonlyMap<string, string>;
  readonly inPage?: boolean;
}

/** Runs one row in a world of its own. Throws when the outcome is not right. */
export async function runRow(apiRow: ApiRow, world: string, run: RowRun): Promise<void> {
  const row = run.inPage ? { ...apiRow, ...apiRow.inPage } : apiRow;
  const call = async (one: Pick<ApiRow, 'as' | 'method' | 'path' | 'body' | 'headers'>): Promise<ApiAnswer> => {
    const token = one.as === undefined ? undefined : run.tokens.get(one.as);
    const path = one.path.replace(/\{\{(\w+)\}\}/, (_, login: string) => run.orders.get(login) ?? '');
    const hasBody = one.body !== undefined && !(run.inPage && one.method === 'GET');
    const headers = {
      ...(hasBody && json),
      ...(token && { Authorization: `token ${token}` }),
      'X-Drydock-World': world,
      ...one.headers,
    };
    return run.send(one.method, `/api/v1${path}`, headers, hasBody ? JSON.stringify(one.body) : undefined);
  };
  if (row.control) {
    const [method, path, body] = row.control;
    const text = body === undefined ? undefined : JSON.stringify(body);
    await run.send(method, `/__drydock${path}`, { ...json, 'X-Drydock-World': world }, text);
  }
  for (const one of row.before ?? []) await call(one);
  const answer = await call(row);
  expect(answer.status === row.status, `status ${answer.status}, expected ${row.status}: ${answer.text.slice(0, 300)}`);
  if (row.status !== 0) row.check?.(answer);
}

/** Gives the name of a row for a report. */
export function titleOfRow(apiRow: ApiRow): string {
  return `${apiRow.status} ${apiRow.row} as ${apiRow.as ?? 'nobody'}: ${apiRow.method} ${apiRow.path}`;
}

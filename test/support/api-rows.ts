// Every row of the endpoint and error tables in the API document, as a request with its expected response.

import { type ApiAnswer, type ApiRow, contains, expect, hasField, hasFields, isEmpty, listOf } from './api-run.ts';

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

const redirect = { status: 0 } as const;
const bucketOptions = { credential: 'aws-main', cluster_uid: '1' };

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

/**
 * A row: its request, in which `{name=value}` is a parameter of the path; the status; the login of the caller, empty for anonymous; the check
 * of the response, and the other fields.
 */
type ShortRow = readonly [
  request: string,
  status: number,
  as: string,
  check?: ApiRow['check'],
  more?: Partial<Omit<ApiRow, 'row' | 'status' | 'as' | 'check'>>,
];

const isError = hasFields('message', 'url');
const isNotFound = ({ text }: ApiAnswer): void => expect(text.trim() === '{"message":"Not Found"}', text);

/** Successful requests: at least one for each endpoint of the document. */
const successes: readonly ShortRow[] = [
  ['GET /user', 200, 'ada', hasField('login', 'ada')],
  ['GET /user?check_client_org=true', 200, 'dan', hasField('clientOrgUser', true)],
  ['GET /user', 200, 'dan', hasField('clientOrgUser', undefined)],
  ['GET /user/signout', 200, 'bob', isEmpty],
  ['GET /user/login-method?orgname=harbor', 200, '', hasField('method', 'sso')],
  ['GET /user/login-method?username=eve', 200, '', hasField('oauthCallbackPath', '/user/oauth2/org-1005')],
  [
    'GET /user/login-method?orgname=northwind',
    200,
    '',
    ({ text }) => expect(text.trim() === '{"method":"password"}', text),
  ],
  ['GET /user/login-method?username=nobody', 200, '', hasField('method', 'password')],
  ['GET /user/cloudmsg-token', 200, 'ada', hasFields('cloudmsgToken'), { hosted: true }],
  ['GET /user/msgbus/credentials', 200, 'hana', hasFields('msgbusEndpoints', 'credentials')],
  ['GET /user/msgbus/admin_credentials', 200, 'ada', hasFields('credentials')],
  ['GET /user/msgbus/user_credentials?user=bob', 200, 'ada', hasFields('credentials')],
  ['GET /user/msgbus/cluster-resource-history?cluster_uid=1', 200, 'ada', hasFields('items')],
  ['GET /user/emails', 200, 'cleo', listOf(3, 'email', 'verified', 'primary')],
  ['POST /user/emails', 201, 'hana', listOf(2, 'email'), { body: { emails: ['hana@work.example.com'] } }],
  ['DELETE /user/emails', 204, 'cleo', isEmpty, { body: { emails: ['cleo@home.example.net'] } }],
  ['GET /user/followers?page=3', 200, 'bob', listOf(10, 'login', 'avatar_url')],
  ['GET /user/following', 200, 'bob', listOf(30, 'login')],
  ['GET /user/following/{username=ada}', 204, 'bob', isEmpty],
  ['PUT /user/following/{username=ada}', 204, 'hana', isEmpty],
  ['DELETE /user/following/{username=ada}', 204, 'bob', isEmpty],
  ['GET /user/teams', 200, 'cleo', listOf(4, 'id', 'organization', 'permission', 'units', 'role_ids')],
  ['GET /user/orgs', 200, 'cleo', listOf(3, 'id', 'username', 'visibility')],
  ['GET /user/settings/organizations', 200, 'cleo', listOf(3, 'id')],
  ['GET /users/{username=cleo}/orgs', 200, '', listOf(1, 'username')],
  ['GET /orgs/{orgname=Harbor}', 200, '', hasField('username', 'harbor')],
  ['GET /user/clusters', 200, 'cleo', listOf(1, 'uid', 'status', 'age')],
  ['GET /user/clusters?all=true', 200, 'cleo', listOf(7, 'uid')],
  ['GET /user/credentials', 200, 'bob', listOf(16, 'creationTimestamp')],
  ['GET /user/credentials?credential_type=Aws&credential_type=Azure,Linode', 200, 'bob', listOf(3, 'type')],
  ['GET /user/credentials?mgmt_endpoint=https://mgmt-us.harbor.example.com', 200, 'bob', listOf(1, 'rancher')],
  ['GET /user/credentials/{credName=aws-main}', 200, 'bob', hasField('name', 'aws-main')],
  [
    'POST /user/credentials',
    201,
    'hana',
    isEmpty,
    { body: { name: 'vultr-main', type: 'Vultr', vultr: { token: 'x' } } },
  ],
  ['PUT /user/credentials/', 204, 'bob', isEmpty, { body: { name: 'vultr', type: 'Vultr', vultr: {} } }],
  ['DELETE /user/credentials/{credName=vultr}', 204, 'bob', isEmpty],
  [
    'GET /user/clouds/{cloud=aws}/buckets',
    200,
    'bob',
    hasField('names', ['harbor-assets', 'harbor-backups', 'harbor-logs']),
    { body: bucketOptions, inPage: { path: '/user/clouds/aws/buckets?credential=aws-main&cluster_uid=1' } },
  ],
  [
    'GET /user/clouds/{cloud=aws}/buckets',
    200,
    'bob',
    hasFields('names'),
    { headers: { 'X-HTTP-Method-Override': 'GET' }, body: bucketOptions, method: 'POST' },
  ],
  ['POST /user/validate/username?user_name=new-name', 200, 'bob', hasField('Status', 'VALID')],
  ['POST /user/validate/username?user_name=Harbor', 200, 'bob', hasField('Status', 'USER_EXISTS')],
  ['POST /user/validate/username?user_name=admin', 200, 'bob', hasField('Status', 'RESERVED')],
  ['POST /user/validate/username', 200, 'bob', hasField('Status', 'INVALID')],
  ['POST /user/validate/orgname?user_name=fresh', 200, 'dan', hasField('Status', 'NOT_ALLOWED')],
  ['POST /user/validate/orgname?org=harbor&user_name=HARBOR', 200, 'bob', hasField('Status', 'VALID')],
  ['POST /user/validate/email?email=x%40mailinator.example', 200, 'bob', hasField('Status', 'NOT_ALLOWED')],
  ['POST /user/validate/email?email=ADA%40example.com', 200, 'bob', hasField('Status', 'USER_EXISTS')],
  ['GET /user/inbox/subscriptions', 200, 'cleo', listOf(6, 'subscriberID', 'scope')],
  [
    'GET /user/inbox/subscriptions?scope=resource&version=v1&resource=deployments',
    200,
    'cleo',
    listOf(1, 'resourceName'),
  ],
  ['POST /user/deploy/orders', 200, 'hana', hasFields('apiVersion', 'kind', 'metadata', 'spec'), { body: order }],
  ['GET /user/deploy/orders/{id=order-of-ada}/render/manifest', 200, 'ada', contains('kind: Deployment', 'web@1.4.2')],
  [
    'GET /user/deploy/orders/{id=order-of-bob}/render/resources',
    200,
    'bob',
    listOf(3, 'name', 'version', 'sourceRef', 'releaseName', 'namespace', 'crds', 'resources'),
  ],
  [
    'GET /user/deploy/orders/{id=order-of-bob}/render/resources?skipCRDs=true&format=json',
    200,
    'bob',
    contains('"crds":[]'),
  ],
  ['GET /user/deploy/orders/{id=order-of-ada}/pkgmgr3', 200, 'ada', contains('"os":"linux"', '"os":"darwin"', 'helm')],
  ['GET /user/deploy/orders/{id=order-of-ada}/yaml?format=raw', 200, 'ada', contains('kubectl')],
];

/** Errors: those of the document's error table, and others that the emulator adds. */
const failures: readonly ShortRow[] = [
  ['GET /user/login-method', 400, '', isError],
  ['POST /user/deploy/orders', 400, 'ada', isError, { body: { spec: { packages: [] } } }],
  ['GET /user/msgbus/cluster-resource-history', 400, 'ada', isError],
  ['GET /user/following/{username=dan}', 404, 'ada', isError],
  ['GET /user/credentials/{credName=nope}', 404, 'ada', isError],
  ['DELETE /user/credentials/{credName=nope}', 404, 'ada', isError],
  ['GET /user/cloudmsg-token', 404, 'ada', isNotFound, { hosted: false }],
  ['GET /user/msgbus/user_credentials', 302, 'ada', isEmpty, { inPage: redirect }],
  ['GET /user/clusters?all=true', 302, 'hana', isEmpty, { inPage: redirect }],
  [
    'GET /user/clusters?all=true',
    302,
    'bob',
    undefined,
    { control: ['PUT', '/scenarios/no-organization-context'], inPage: redirect },
  ],
  ['GET /user', 401, '', isError],
  ['GET /user', 401, '', isError, { headers: { Authorization: 'token nope-nope-nope' } }],
  ['GET /user', 401, '', isError, { headers: { Authorization: 'nonsense' } }],
  ['GET /user', 401, 'ada', undefined, { control: ['PUT', '/scenarios/expired-token'] }],
  ['GET /user', 403, 'finn', hasField('url', undefined)],
  ['GET /user', 403, 'gus', hasField('url', undefined)],
  ['GET /user/msgbus/admin_credentials', 403, 'bob', isError],
  ['GET /user/msgbus/user_credentials', 403, 'bob'],
  ['GET /user/msgbus/cluster-resource-history', 403, 'bob'],
  ['PATCH /user', 405, 'ada', ({ header }) => expect(/GET/.test(header('allow') ?? 'GET'), 'no Allow')],
  ['GET /nowhere', 404, 'ada', isNotFound],
  ['POST /user/emails', 422, 'ada', contains('emails'), { body: {} }],
  [
    'POST /user/emails',
    422,
    'ada',
    contains('emails[1]', 'BOB@example.com'),
    { body: { emails: ['x@example.com', 'BOB@example.com'] } },
  ],
  ['DELETE /user/emails', 404, 'ada', undefined, { body: { emails: ['bob@example.com'] } }],
  ['DELETE /user/emails', 422, 'ada', undefined, { body: { emails: ['ada@example.com'] } }],
  ['PUT /user/following/{username=harbor}', 404, 'ada'],
  ['PUT /user/following/{username=ivan}', 403, 'dan'],
  ['POST /user/credentials', 422, 'bob', undefined, { body: { name: 'aws-main', type: 'Aws' } }],
  ['PUT /user/credentials/', 404, 'bob', undefined, { body: { name: 'nope', type: 'Aws' } }],
  [
    'GET /user/clouds/{cloud=aws}/buckets',
    422,
    'bob',
    contains('cluster_uid'),
    { body: { credential: 'aws-main' }, inPage: { path: '/user/clouds/aws/buckets?credential=aws-main' } },
  ],
  ['GET /user/clouds/{cloud=aws}/buckets?credential=nope&cluster_uid=1', 404, 'bob'],
  [
    'POST /user/deploy/orders',
    422,
    'bob',
    contains('spec.packages[0].chart.name'),
    { body: { spec: { packages: [{ chart: { name: 7 } }] } } },
  ],
  ['GET /user/deploy/orders/{id=nope}/render/manifest', 404, 'ada', isError],
  ['GET /user/deploy/orders/{id=order-of-ada}/render/resources?format=xml', 422, 'ada', contains('query.format')],
  ['GET /orgs/{orgname=northwind}', 404, ''],
  ['GET /users/{username=nobody}/orgs', 404, ''],
];

/** All rows. */
export const apiRows: readonly ApiRow[] = [...successes, ...failures].map(([request, status, as, check, more]) => {
  const [method = '', path = ''] = request.replace(/\{\w+=([^}]*)\}/g, '$1').split(' ');
  const row = request.replace(/=[^}]*\}/g, '}').replace(/\?.*/, '');
  return { row, status, method, path, ...(as !== '' && { as }), ...(check && { check }), ...more };
});

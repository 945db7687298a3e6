// The requests that `verify` sends, in order. Paths and bodies use data from earlier responses of the same side.

import type { JsonValue } from '../../../render/index.ts';

/** Logins, slugs and names learned from earlier responses of one side. */
export type Known = Map<string, string>;

export interface TourStep {
  /** The `operationId`, then what is special about the request. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1`. Names in braces are replaced by known values; the step is skipped if one is unknown. */
  readonly path: string;
  /** Sends no token. */
  readonly anonymous?: true;
  readonly body?: JsonValue | ((known: Known) => JsonValue);
  /** Values for later steps, by name: members of the response, or of its first item. */
  readonly learn?: Readonly<Record<string, string>>;
  /** Paths in the body that hold free-form data. */
  readonly free?: readonly string[];
}

const nowhere = 'drydock-verify-nobody';

function step(
  name: string,
  address: `${TourStep['method']} /${string}`,
  more: Partial<Omit<TourStep, 'name' | 'method' | 'path'>> = {},
): TourStep {
  const [method, path] = address.split(' ') as [TourStep['method'], string];
  return { name, method, path, ...more };
}

export const readingSteps: readonly TourStep[] = [
  step('getVersion', 'GET /version'),
  step('getCurrentUser', 'GET /user', { learn: { login: 'login' } }),
  step('getCurrentUser, nobody', 'GET /user', { anonymous: true }),
  step('listEmails', 'GET /user/emails'),
  step('listEmails, nobody', 'GET /user/emails', { anonymous: true }),
  step('listFollowers', 'GET /user/followers?limit=2'),
  step('listFollowing', 'GET /user/following?limit=2', { learn: { followed: 'login' } }),
  step('checkFollowing', 'GET /user/following/{followed}'),
  step('checkFollowing, unknown', `GET /user/following/${nowhere}`),
  step('listTeams', 'GET /user/teams'),
  step('listOrganizations', 'GET /user/orgs', { learn: { orgname: 'username' } }),
  step('listSettingsOrganizations', 'GET /user/settings/organizations'),
  step('listUserOrganizations', 'GET /users/{login}/orgs'),
  step('listUserOrganizations, unknown', `GET /users/${nowhere}/orgs`),
  step('getOrganization', 'GET /orgs/{orgname}'),
  step('getOrganization, unknown', `GET /orgs/${nowhere}`),
  step('listClusters', 'GET /user/clusters', { free: ['[].status'] }),
  step('listClusters, all', 'GET /user/clusters?all=true', {
    free: ['[].status'],
    learn: { owner: 'ownerName', cluster: 'name' },
  }),
  step('listClusters, nobody', 'GET /user/clusters', { anonymous: true }),
  step('listCredentials', 'GET /user/credentials', { free: ['[]'], learn: { credName: 'name' } }),
  step('listCredentials, a type', 'GET /user/credentials?credential_type=Aws', { free: ['[]'] }),
  step('getCredential', 'GET /user/credentials/{credName}', { free: [''] }),
  step('getCredential, unknown', `GET /user/credentials/${nowhere}`),
  step('getLoginMethod', 'GET /user/login-method?username={login}'),
  step('getLoginMethod, of nobody', 'GET /user/login-method'),
  step('getMsgbusCredentials', 'GET /user/msgbus/credentials'),
  step('getMsgbusAdminCredentials', 'GET /user/msgbus/admin_credentials'),
  step('getClusterResourceHistory, of none', 'GET /user/msgbus/cluster-resource-history'),
  step('listSubscriptions', 'GET /user/inbox/subscriptions'),
  step('listSubscriptions, a scope', 'GET /user/inbox/subscriptions?scope=org'),
  step('checkOrganizationSubscription', 'GET /orgs/{orgname}/subscriptions'),
  step('checkClusterSubscription', 'GET /clustersv2/{owner}/{cluster}/subscriptions'),
  step('validateUsername, taken', 'POST /user/validate/username', {
    body: (known) => ({ user_name: known.get('login') ?? '' }),
  }),
  step('validateUsername, free', 'POST /user/validate/username', { body: { user_name: nowhere } }),
  step('validateEmail, none', 'POST /user/validate/email', { body: { email: 'nonsense' } }),
  step('an unknown address', `GET /user/${nowhere}`),
];

const email = 'drydock-verify@example.com';
const credential = { name: 'drydock-verify', type: 'Aws', aws: { accessKeyID: 'example', secretAccessKey: 'example' } };

/** Each change is reverted by a later step. */
export const writingSteps: readonly TourStep[] = [
  step('addEmails', 'POST /user/emails', { body: { emails: [email] } }),
  step('addEmails, again', 'POST /user/emails', { body: { emails: [email] } }),
  step('addEmails, none', 'POST /user/emails', { body: { emails: ['nonsense'] } }),
  step('deleteEmails', 'DELETE /user/emails', { body: { emails: [email] } }),
  step('deleteEmails, again', 'DELETE /user/emails', { body: { emails: [email] } }),
  step('createCredential', 'POST /user/credentials', { body: credential }),
  step('getCredential, made', `GET /user/credentials/${credential.name}`),
  step('updateCredential', 'PUT /user/credentials', { body: credential }),
  step('deleteCredential', `DELETE /user/credentials/${credential.name}`),
  step('deleteCredential, again', `DELETE /user/credentials/${credential.name}`),
  step('unfollow', 'DELETE /user/following/{followed}'),
  step('follow', 'PUT /user/following/{followed}'),
  step('follow, nobody', `PUT /user/following/${nowhere}`),
];

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
  readonly body?: (known: Known) => JsonValue;
  /** Makes a change that a later step reverts. */
  readonly writes?: true;
  /** Learns values for later steps from the response. */
  readonly learn?: (json: JsonValue, known: Known) => void;
  /** Paths in the body that hold free-form data. */
  readonly free?: readonly string[];
}

type Item = Readonly<Record<string, JsonValue>>;

const nowhere = 'drydock-verify-nobody';

function learnFirst(names: Readonly<Record<string, string>>): (json: JsonValue, known: Known) => void {
  return (json, known) => {
    const [first] = (Array.isArray(json) ? json : [json]) as readonly (Item | undefined)[];
    for (const [name, member] of Object.entries(names)) {
      const value = first?.[member];
      if (typeof value === 'string' && value !== '') known.set(name, value);
    }
  };
}

export const readingSteps: readonly TourStep[] = [
  { name: 'getVersion', method: 'GET', path: '/version' },
  { name: 'getCurrentUser', method: 'GET', path: '/user', learn: learnFirst({ login: 'login' }) },
  { name: 'getCurrentUser, nobody', method: 'GET', path: '/user', anonymous: true },
  { name: 'listEmails', method: 'GET', path: '/user/emails' },
  { name: 'listEmails, nobody', method: 'GET', path: '/user/emails', anonymous: true },
  { name: 'listFollowers', method: 'GET', path: '/user/followers?limit=2', learn: learnFirst({ other: 'login' }) },
  { name: 'listFollowing', method: 'GET', path: '/user/following?limit=2', learn: learnFirst({ followed: 'login' }) },
  { name: 'checkFollowing', method: 'GET', path: '/user/following/{followed}' },
  { name: 'checkFollowing, unknown', method: 'GET', path: `/user/following/${nowhere}` },
  { name: 'listTeams', method: 'GET', path: '/user/teams' },
  { name: 'listOrganizations', method: 'GET', path: '/user/orgs', learn: learnFirst({ orgname: 'username' }) },
  { name: 'listSettingsOrganizations', method: 'GET', path: '/user/settings/organizations' },
  { name: 'listUserOrganizations', method: 'GET', path: '/users/{login}/orgs' },
  { name: 'listUserOrganizations, unknown', method: 'GET', path: `/users/${nowhere}/orgs` },
  { name: 'getOrganization', method: 'GET', path: '/orgs/{orgname}' },
  { name: 'getOrganization, unknown', method: 'GET', path: `/orgs/${nowhere}` },
  { name: 'listClusters', method: 'GET', path: '/user/clusters', free: ['[].status'] },
  {
    name: 'listClusters, all',
    method: 'GET',
    path: '/user/clusters?all=true',
    free: ['[].status'],
    learn: learnFirst({ owner: 'ownerName', cluster: 'name' }),
  },
  { name: 'listClusters, nobody', method: 'GET', path: '/user/clusters', anonymous: true },
  {
    name: 'listCredentials',
    method: 'GET',
    path: '/user/credentials',
    free: ['[]'],
    learn: learnFirst({ credName: 'name' }),
  },
  { name: 'listCredentials, a type', method: 'GET', path: '/user/credentials?credential_type=Aws', free: ['[]'] },
  { name: 'getCredential', method: 'GET', path: '/user/credentials/{credName}', free: [''] },
  { name: 'getCredential, unknown', method: 'GET', path: `/user/credentials/${nowhere}` },
  { name: 'getLoginMethod', method: 'GET', path: '/user/login-method?username={login}' },
  { name: 'getLoginMethod, of nobody', method: 'GET', path: '/user/login-method' },
  { name: 'getMsgbusCredentials', method: 'GET', path: '/user/msgbus/credentials' },
  { name: 'getMsgbusAdminCredentials', method: 'GET', path: '/user/msgbus/admin_credentials' },
  { name: 'getClusterResourceHistory, of none', method: 'GET', path: '/user/msgbus/cluster-resource-history' },
  { name: 'listSubscriptions', method: 'GET', path: '/user/inbox/subscriptions' },
  { name: 'listSubscriptions, a scope', method: 'GET', path: '/user/inbox/subscriptions?scope=org' },
  { name: 'checkOrganizationSubscription', method: 'GET', path: '/orgs/{orgname}/subscriptions' },
  { name: 'checkClusterSubscription', method: 'GET', path: '/clustersv2/{owner}/{cluster}/subscriptions' },
  {
    name: 'validateUsername, taken',
    method: 'POST',
    path: '/user/validate/username',
    body: (known) => ({ user_name: known.get('login') ?? '' }),
  },
  {
    name: 'validateUsername, free',
    method: 'POST',
    path: '/user/validate/username',
    body: () => ({ user_name: nowhere }),
  },
  { name: 'validateEmail, none', method: 'POST', path: '/user/validate/email', body: () => ({ email: 'nonsense' }) },
  { name: 'an unknown address', method: 'GET', path: `/user/${nowhere}` },
];

const address = 'drydock-verify@example.com';
const credential = { name: 'drydock-verify', type: 'Aws', aws: { accessKeyID: 'example', secretAccessKey: 'example' } };

export const writingSteps: readonly TourStep[] = (
  [
    { name: 'addEmails', method: 'POST', path: '/user/emails', body: () => ({ emails: [address] }) },
    { name: 'addEmails, again', method: 'POST', path: '/user/emails', body: () => ({ emails: [address] }) },
    { name: 'addEmails, none', method: 'POST', path: '/user/emails', body: () => ({ emails: ['nonsense'] }) },
    { name: 'deleteEmails', method: 'DELETE', path: '/user/emails', body: () => ({ emails: [address] }) },
    { name: 'deleteEmails, again', method: 'DELETE', path: '/user/emails', body: () => ({ emails: [address] }) },
    { name: 'createCredential', method: 'POST', path: '/user/credentials', body: () => credential },
    { name: 'getCredential, made', method: 'GET', path: `/user/credentials/${credential.name}` },
    { name: 'updateCredential', method: 'PUT', path: '/user/credentials', body: () => credential },
    { name: 'deleteCredential', method: 'DELETE', path: `/user/credentials/${credential.name}` },
    { name: 'deleteCredential, again', method: 'DELETE', path: `/user/credentials/${credential.name}` },
    { name: 'unfollow', method: 'DELETE', path: '/user/following/{followed}' },
    { name: 'follow', method: 'PUT', path: '/user/following/{followed}' },
    { name: 'follow, nobody', method: 'PUT', path: `/user/following/${nowhere}` },
  ] as const
).map((step): TourStep => ({ ...step, writes: true }));

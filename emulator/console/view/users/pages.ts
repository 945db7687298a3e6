// The pages of a user: each is an API request with columns and actions.

export type ResponseRow = Readonly<Record<string, unknown>>;

/** A request for a row, or from a form. */
export interface Action {
  readonly label: string;
  readonly method: string;
  readonly path: (row: ResponseRow, login: string) => string;
  readonly body?: (row: ResponseRow) => unknown;
}

/** A text field, and the request that submits it. */
export interface Form {
  readonly label: string;
  /** `Replace` sends it by PUT. */
  readonly buttons: readonly string[];
  readonly method: string;
  /** Derived from the entered text. */
  readonly path: (text: string, login: string) => string;
  readonly body?: (text: string) => unknown;
  readonly placeholder: string;
  /** For multi-line JSON: the initial text. */
  readonly example?: string;
}

export interface UserPage {
  readonly name: string;
  readonly label: string;
  readonly path: (login: string, page: number) => string;
  /** Extracts the rows of a response that is not a list. */
  readonly rows?: (body: unknown) => readonly ResponseRow[];
  /** The path of a member by column label. Without columns the response is a single record. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly empty?: string;
  /** Whether it has `page` and `limit` parameters. */
  readonly isPaged?: boolean;
  readonly byPassword?: boolean;
  readonly action?: Action;
  readonly form?: Form;
}

/** Returns the text of a member of a row, such as `status.phase`. */
export function cellOf(row: ResponseRow, path: string): string {
  const value = path.split('.').reduce<unknown>((outer, key) => (outer as ResponseRow | undefined)?.[key], row) ?? '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const word = encodeURIComponent;
const person = { Login: 'login', Name: 'full_name', About: 'description' };
const organization = { Name: 'username', 'Full name': 'full_name', About: 'description' };
export const pageSize = 10;

export const userPages: readonly UserPage[] = [
  { name: 'profile', label: 'Profile', path: () => 'user' },
  {
    name: 'emails',
    label: 'Emails',
    path: () => 'user/emails',
    columns: { Address: 'email', Verified: 'verified', Primary: 'primary' },
    empty: 'No email addresses',
    action: {
      label: 'Delete',
      method: 'DELETE',
      path: () => 'user/emails',
      body: ({ email }) => ({ emails: [email] }),
    },
    form: {
      label: 'Email address',
      buttons: ['Add'],
      method: 'POST',
      path: () => 'user/emails',
      body: (text) => ({ emails: [text] }),
      placeholder: 'name@example.com',
    },
  },
  {
    name: 'followers',
    label: 'Followers',
    path: (_, page) => `user/followers?page=${page}&limit=${pageSize}`,
    columns: person,
    empty: 'No followers',
    isPaged: true,
  },
  {
    name: 'following',
    label: 'Following',
    path: (_, page) => `user/following?page=${page}&limit=${pageSize}`,
    columns: person,
    empty: 'Not following anyone',
    isPaged: true,
    action: { label: 'Unfollow', method: 'DELETE', path: ({ login }) => `user/following/${word(String(login))}` },
    form: {
      label: 'Login',
      buttons: ['Follow'],
      method: 'PUT',
      path: (text) => `user/following/${word(text)}`,
      placeholder: 'bob',
    },
  },
  {
    name: 'orgs',
    label: 'Organizations',
    path: () => 'user/orgs',
    columns: organization,
    empty: 'No organizations',
  },
  {
    name: 'teams',
    label: 'Teams',
    path: () => 'user/teams',
    columns: { Team: 'name', Organization: 'organization.username', Permission: 'permission' },
    empty: 'No teams',
  },
  {
    name: 'clusters',
    label: 'Clusters',
    path: () => 'user/clusters',
    columns: {
      Name: 'displayName',
      Status: 'status.phase',
      Age: 'age',
      Nodes: 'nodeCount',
      Kubernetes: 'orchestratorVersion',
      Provider: 'provider',
    },
    empty: 'No clusters',
  },
  {
    name: 'credentials',
    label: 'Credentials',
    path: () => 'user/credentials',
    columns: { Name: 'name', Type: 'type', Created: 'creationTimestamp' },
    empty: 'No credentials',
    action: { label: 'Delete', method: 'DELETE', path: ({ name }) => `user/credentials/${word(String(name))}` },
    form: {
      label: 'Credential (JSON)',
      buttons: ['Add', 'Replace'],
      method: 'POST',
      path: () => 'user/credentials',
      body: (text) => JSON.parse(text) as unknown,
      placeholder: '',
      example: '{"name": "aws-demo", "type": "Aws", "aws": {"accessKeyID": "example", "secretAccessKey": "example"}}',
    },
  },
  {
    name: 'buckets',
    label: 'Buckets',
    path: () => 'user/clouds/gce/buckets?cluster_uid=1&secret_namespace=default&secret_name=cloud',
    rows: (body) => (body as { readonly names?: readonly string[] }).names?.map((name) => ({ name })) ?? [],
    columns: { Bucket: 'name' },
    empty: 'No buckets',
  },
  {
    name: 'inbox',
    label: 'Inbox',
    path: () => 'user/inbox/subscriptions',
    columns: {
      Scope: 'scope',
      Organization: 'orgName',
      Cluster: 'clusterName',
      Namespace: 'namespaceName',
      Resource: 'resourceName',
    },
    empty: 'No subscriptions',
  },
  {
    name: 'tokens',
    label: 'Tokens',
    path: (login) => `users/${word(login)}/tokens`,
    columns: { ID: 'id', Name: 'name', 'Ends in': 'token_last_eight' },
    empty: 'No tokens',
    byPassword: true,
    action: { label: 'Delete', method: 'DELETE', path: ({ id }, login) => `users/${word(login)}/tokens/${id}` },
    form: {
      label: 'Token name (the response shows the token once)',
      buttons: ['Create'],
      method: 'POST',
      path: (_, login) => `users/${word(login)}/tokens`,
      body: (name) => ({ name }),
      placeholder: 'laptop',
    },
  },
];

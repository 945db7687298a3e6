// Fixtures for demos. They depend only on the current time and the scale; all times are relative to the current time.

import { oneOf, optionsOf, wholeNumber } from '../../render/core/arguments.ts';
import { checkArguments } from '../core/arguments.ts';
import { deriveToken, deriveUuid } from '../keys/derive.ts';
import type {
  ClusterFixture,
  CredentialFixture,
  Fixtures,
  HistoryFixture,
  OrderFixture,
  TeamFixture,
  TokenFixture,
  UserFixture,
} from '../store/fixtures.ts';
import { makePeople, type Role } from './people.ts';

/** Descriptions of the demo stories. */
export const stories = {
  saas: 'A company of two dozen people that runs a service on six clusters',
  onboarding: 'Somebody who signed up twenty minutes ago, in a company that is there already',
} as const;

/** Name of a demo story. */
export type StoryName = keyof typeof stories;

/** Options for `storyFixtures`. */
export interface StoryOptions {
  /** Multiplies the number of people, clusters and entries, from 1 to 50. Default 1. */
  readonly scale?: number;
}

const storyOptions = optionsOf<StoryOptions>({ scale: wholeNumber(1, 50) });

/**
 * Returns the fixtures of a demo story, for `createEmulator({ fixtures })`. Throws an `EmulatorError` (ARGUMENT_INVALID) for an unknown
 * story or scale.
 */
export function storyFixtures(name: StoryName, options: StoryOptions = {}): Fixtures {
  checkArguments('storyFixtures', ['name', name, oneOf(Object.keys(stories))], ['options', options, storyOptions]);
  const { scale = 1 } = options;
  return { saas, onboarding }[name](scale);
}

const engineering: readonly Role[] = [
  { title: 'Site reliability engineer', team: 'Platform' },
  { title: 'Backend engineer', team: 'Payments' },
  { title: 'Data engineer', team: 'Insights' },
  { title: 'Frontend engineer', team: 'Checkout' },
  { title: 'Engineering manager', team: 'Platform' },
  { title: 'Support engineer', team: 'Customer care' },
];

// The main user of a demo: a site administrator with data in every list.
function lead(about: Partial<UserFixture>): UserFixture {
  return {
    ...{ login: 'ada', full_name: 'Ada Moreno', email: 'ada@example.com', password: 'ada-password', is_admin: true },
    ...{
      created: 'now-1120d',
      last_login: 'now-12m',
      location: 'Lisbon',
      website: 'https://ada.example.com',
    },
    ...about,
  };
}

function tokens(people: readonly UserFixture[]): readonly TokenFixture[] {
  const tokenOf = (user: string, name: string): string => deriveToken('drydock', `story/${user}/${name}`);
  const own = people.map(({ login }, index) => ({
    ...{ user: login, name: 'laptop', token: tokenOf(login, 'laptop') },
    created: `now-${20 + index * 11}d-${index}h`,
  }));
  const [first] = people;
  if (!first) return own;
  const further = (name: string, more: Partial<TokenFixture>): TokenFixture => ({
    ...{ user: first.login, name, token: tokenOf(first.login, name) },
    ...more,
  });
  return [
    ...own,
    further('deploy pipeline', { created: 'now-61d-3h', expires: 'now+29d' }),
    further('migration', { created: 'now-400d', expires: 'now-35d' }),
    further('old laptop', { created: 'now-700d', revoked: true }),
  ];
}

/** A cluster; times are relative, such as `now-610d`. */
type Machine = readonly [
  name: string,
  displayName: string,
  provider: string,
  version: string,
  nodes: number,
  location: string,
  made: string,
  more?: Partial<ClusterFixture>,
];

// Used by both stories.
const lumen = {
  username: 'lumen',
  full_name: 'Lumen',
  description: 'Checkout and payments for small shops',
  website: 'https://lumen.example.com',
  created: 'now-1100d',
};
const lumenProduction = ['EKS', 'v1.31.6', 24, 'eu-central-1', 'now-610d'] as const;
const aws = { vendor: 'AWS' };

function clustersOf(owner: string, machines: readonly Machine[]): readonly ClusterFixture[] {
  return machines.map(([name, displayName, provider, version, nodes, location, made, more]) => ({
    ...{ owner, name, displayName, provider, vendor: '', location },
    uid: deriveUuid('drydock', `story/cluster/${owner}/${name}`),
    orchestratorVersion: version,
    nodeCount: nodes,
    endpoint: `https://${name}.clusters.example.com:6443`,
    ...{ hubClusterName: '', clusterSetName: '', createdAt: made, status: { phase: 'Active' }, access: [] },
    ...more,
  }));
}

function teamsOf(
  organization: string,
  teams: readonly (readonly [string, TeamFixture['permission'], readonly string[], description?: string])[],
): readonly TeamFixture[] {
  return teams.map(([name, permission, members, description]) => ({
    ...{ organization, name },
    ...(description !== undefined && { description }),
    ...{ permission, members },
  }));
}

function credentials(owner: string): readonly CredentialFixture[] {
  const specs: readonly (readonly [name: string, type: string, block: string, added: string])[] = [
    ['aws-production', 'Aws', 'aws', 'now-512d-4h'],
    ['gke-analytics', 'GoogleCloud', 'googleCloud', 'now-366d-7h'],
    ['azure-recovery', 'Azure', 'azure', 'now-203d-2h'],
    ['hetzner-builds', 'Hetzner', 'hetzner', 'now-96d-6h'],
    ['object-storage', 'CloudflareStorage', 'cloudflareStorage', 'now-41d-1h'],
    ['digitalocean-lab', 'DigitalOcean', 'digitalOcean', 'now-6d-5h-20m'],
  ];
  return specs.map(([name, type, block, added]) => ({
    owner,
    spec: { name, type, [block]: { token: 'example-secret' } },
    creationTimestamp: added,
  }));
}

// Operation, group, resource, namespace, name.
const changes = [
  ['update', 'apps', 'deployments', 'checkout', 'cart'],
  ['update', 'apps', 'deployments', 'payments', 'gateway'],
  ['create', 'batch', 'jobs', 'payments', 'settle-accounts'],
  ['update', '', 'configmaps', 'checkout', 'feature-flags'],
  ['delete', 'batch', 'jobs', 'payments', 'settle-accounts'],
  ['update', 'apps', 'statefulsets', 'insights', 'warehouse'],
  ['create', 'networking.k8s.io', 'ingresses', 'checkout', 'storefront'],
] as const;

function history(clusters: readonly ClusterFixture[], count: number): readonly HistoryFixture[] {
  return Array.from({ length: count }, (_, index) => {
    const [operation, group, resource, namespace, name] = changes[index % changes.length]!;
    const { owner, name: clusterName } = clusters[index % clusters.length]!;
    const time = `now-${Math.floor(index * 3.7)}h-${(index * 23) % 60}m`;
    return {
      cluster: `${owner}/${clusterName}`,
      entry: { time, operation, group, version: 'v1', resource, namespace, name },
    };
  });
}

function order(owner: string, name: string, stored: string, values: OrderFixture['order']): OrderFixture {
  const sourceRef = { kind: 'Embed', name: 'web' };
  const chart = { name: 'web', sourceRef, version: '^1.4.0', releaseName: name, namespace: name, values };
  const metadata = { name, uid: deriveUuid('drydock', `story/order/${name}`), creationTimestamp: stored };
  return {
    owner,
    order: {
      apiVersion: 'releases.x-helm.dev/v1alpha1',
      kind: 'Order',
      metadata,
      spec: { kubeVersion: 'v1.31.0', packages: [{ chart }] },
    },
  };
}

// Everyone follows a few others, and most people follow the first one.
function follows(people: readonly UserFixture[]): NonNullable<Fixtures['follows']> {
  const logins = people.map(({ login }) => login);
  return logins.map((user, index) => {
    const others = [1, 4, 9, 13].map((step) => logins[(index + step) % logins.length]!);
    const wanted = index === 0 ? logins.slice(1, 10) : [...(index % 3 === 0 ? [] : [logins[0]!]), ...others];
    return { user, follows: [...new Set(wanted)].filter((login) => login !== user) };
  });
}

function saas(scale: number): Fixtures {
  const others = makePeople(23 * scale, engineering);
  const people = [lead({ description: 'Platform lead at Lumen' }), ...others];
  const logins = people.map(({ login }) => login);
  const ofTeam = (team: string): readonly string[] =>
    others.filter(({ description = '' }) => description.endsWith(team)).map(({ login }) => login);
  const hub = { hubClusterName: 'lumen-hub' };
  const production = { ...aws, clusterSetName: 'production', ...hub };
  const insights = { vendor: 'Microsoft', clusterSetName: 'production' };
  const staging: Partial<ClusterFixture> = {
    vendor: 'Google',
    clusterSetName: 'staging',
    ...hub,
    status: { phase: 'NotReady', reason: 'NodesUpgrading', message: '2 of 6 nodes are being upgraded' },
  };
  const homelab: Partial<ClusterFixture> = {
    status: { phase: 'NotConnected', reason: 'AgentUnreachable', message: 'The agent was last seen 3 hours ago' },
  };
  const clusters = [
    ...clustersOf('lumen', [
      ['prod-eu', 'Production, Frankfurt', ...lumenProduction, production],
      ['prod-us', 'Production, Virginia', 'EKS', 'v1.31.6', 18, 'us-east-1', 'now-388d', production],
      ['staging', 'Staging', 'GKE', 'v1.32.1', 6, 'europe-west3', 'now-244d', staging],
      ['insights', 'Insights', 'AKS', 'v1.31.4', 9, 'westeurope', 'now-131d', insights],
    ]),
    ...clustersOf('ada', [
      ['sandbox', "Ada's sandbox", 'DigitalOcean', 'v1.32.0', 2, 'ams3', 'now-33d', { access: logins.slice(1, 3) }],
      ['homelab', 'Home lab', 'Generic', 'v1.30.8', 1, 'on-premises', 'now-190d', homelab],
    ]),
  ];
  const memberships = logins.map((user, index) => ({ user, public: index % 5 !== 4 }));
  return {
    users: people,
    emails: [
      { user: 'ada', email: 'ada.moreno@example.org' },
      { user: 'ada', email: 'ada@lumen.example.com', verified: false },
    ],
    tokens: tokens(people.slice(0, 8)),
    organizations: [
      { ...lumen, location: 'Lisbon', members: memberships },
      {
        username: 'lumen-labs',
        full_name: 'Lumen Labs',
        description: 'What may become a product',
        visibility: 'limited',
        created: 'now-420d',
        members: memberships.slice(0, 7),
      },
      {
        username: 'lumen-partners',
        full_name: 'Lumen Partners',
        description: 'Agencies that build with Lumen',
        visibility: 'private',
        created: 'now-160d',
        members: memberships.slice(0, 3),
      },
    ],
    teams: [
      ...teamsOf('lumen', [
        ['Owners', 'owner', [logins[0]!, logins[5]!], 'Own the organization'],
        ['Platform', 'admin', ['ada', ...ofTeam('Platform')], 'Clusters, pipelines, on-call'],
        ['Payments', 'write', ofTeam('Payments'), 'Everything that moves money'],
        ['Insights', 'write', ofTeam('Insights'), 'Reports and the warehouse'],
        ['Customer care', 'read', ofTeam('Customer care'), 'Reads what customers see'],
      ]),
      ...teamsOf('lumen-labs', [['Research', 'admin', logins.slice(0, 4)]]),
    ],
    follows: follows(people),
    clusters,
    history: history(clusters, 40 * scale),
    credentials: credentials('ada'),
    buckets: [
      { provider: 'aws', names: ['lumen-assets', 'lumen-backups', 'lumen-exports', 'lumen-logs'] },
      { provider: 'gcs', names: ['lumen-warehouse', 'lumen-warehouse-archive'] },
    ],
    subscriptions: [
      { user: 'ada', scope: 'org', organization: 'lumen', createdAt: 'now-300d' },
      { user: 'ada', scope: 'cluster', cluster: 'lumen/prod-eu', createdAt: 'now-120d' },
      {
        user: 'ada',
        scope: 'namespace',
        cluster: 'lumen/prod-eu',
        namespaceName: 'payments',
        createdAt: 'now-44d',
      },
      {
        user: 'ada',
        scope: 'resource',
        cluster: 'lumen/prod-us',
        namespaceName: 'checkout',
        apiGroup: 'apps',
        version: 'v1',
        resource: 'deployments',
        resourceName: 'cart',
        createdAt: 'now-2d-3h',
      },
    ],
    orders: [
      order('ada', 'storefront', 'now-19d-2h', { replicaCount: 4, image: { tag: '2.2.0' } }),
      order('ada', 'status-page', 'now-5d-6h', { replicaCount: 2 }),
      order('ada', 'cart', 'now-3h-40m', { replicaCount: 6, image: { tag: '2.3.0-rc.1' } }),
    ],
  };
}

function onboarding(scale: number): Fixtures {
  const nia: UserFixture = {
    ...{ login: 'nia', full_name: 'Nia Brandt', email: 'nia@example.com', password: 'nia-password', description: '' },
    ...{ created: 'now-20m', last_login: 'now-20m' },
  };
  const colleagues = makePeople(9 * scale, engineering);
  const people = [nia, lead({ description: 'Platform lead at Lumen' }), ...colleagues];
  const members = people.slice(1).map(({ login }) => ({ user: login }));
  return {
    users: people,
    tokens: tokens([nia, ...people.slice(1, 3)]).filter(({ user, name }) => user !== 'nia' || name === 'laptop'),
    organizations: [{ ...lumen, members }],
    teams: teamsOf('lumen', [['Owners', 'owner', ['ada']]]),
    follows: follows(people.slice(1)),
    clusters: clustersOf('lumen', [['prod-eu', 'Production', ...lumenProduction, aws]]),
    credentials: credentials('ada').slice(0, 2),
    buckets: [],
  };
}

// Orders to start from. The charts are those that every emulator has.

import { orderText } from './document.ts';

export interface ExampleOrder {
  readonly title: string;
  readonly description: string;
  /** The names of its charts: it is offered if all of them are available. */
  readonly charts: readonly string[];
  readonly text: string;
}

type ExamplePackage = readonly [chart: string, releaseName: string, namespace: string, values: object];

function exampleOf(
  title: string,
  description: string,
  name: string,
  packages: readonly ExamplePackage[],
): ExampleOrder {
  const listed = packages.map(([chart, releaseName, namespace, values]) => ({
    chart: { name: chart, sourceRef: { kind: 'Embed', name: chart }, releaseName, namespace, values },
  }));
  const order = {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { name },
    spec: { packages: listed },
  };
  return { title, description, charts: packages.map(([chart]) => chart), text: orderText(order) };
}

export const exampleOrders: readonly ExampleOrder[] = [
  exampleOf('Web application', 'A deployment with an ingress and autoscaling', 'website', [
    ['web', 'website', 'web', { ingress: { enabled: true }, autoscaling: { enabled: true } }],
  ]),
  exampleOf('Shop', 'A storefront with a database and a cache', 'shop', [
    ['postgres', 'database', 'shop', { auth: { database: 'shop' }, storage: { size: '20Gi' } }],
    ['redis', 'sessions', 'shop', { maxMemory: '256mb' }],
    ['web', 'storefront', 'shop', { replicaCount: 3 }],
  ]),
  exampleOf('Database with backups', 'PostgreSQL with metrics, backed up every night', 'database', [
    ['postgres', 'main', 'data', { metrics: { enabled: true }, storage: { size: '100Gi' } }],
    ['backup', 'nightly', 'data', { database: { host: 'main-postgres' }, target: { keepDays: 90 } }],
  ]),
];

// Orders to start from. The charts are those that every emulator has.

import { orderText } from './document.ts';

/** An Order to start from. */
export interface ExampleOrder {
  readonly title: string;
  readonly description: string;
  /** The names of its charts: it is offered if all of them are available. */
  readonly charts: readonly string[];
  readonly text: string;
}

interface ExamplePackage {
  readonly name: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: object;
}

function exampleOf(
  title: string,
  description: string,
  name: string,
  packages: readonly ExamplePackage[],
): ExampleOrder {
  const listed = packages.map(({ name: chart, ...release }) => ({
    chart: { name: chart, sourceRef: { kind: 'Embed', name: chart }, ...release },
  }));
  const order = {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { name },
    spec: { packages: listed },
  };
  return { title, description, charts: packages.map((one) => one.name), text: orderText(order) };
}

/** The examples. */
export const exampleOrders: readonly ExampleOrder[] = [
  exampleOf('Web application', 'A deployment with an ingress and autoscaling', 'website', [
    {
      name: 'web',
      releaseName: 'website',
      namespace: 'web',
      values: { ingress: { enabled: true }, autoscaling: { enabled: true } },
    },
  ]),
  exampleOf('Shop', 'A storefront with a database and a cache', 'shop', [
    {
      name: 'postgres',
      releaseName: 'database',
      namespace: 'shop',
      values: { auth: { database: 'shop' }, storage: { size: '20Gi' } },
    },
    { name: 'redis', releaseName: 'sessions', namespace: 'shop', values: { maxMemory: '256mb' } },
    { name: 'web', releaseName: 'storefront', namespace: 'shop', values: { replicaCount: 3 } },
  ]),
  exampleOf('Database with backups', 'PostgreSQL with metrics, backed up every night', 'database', [
    {
      name: 'postgres',
      releaseName: 'main',
      namespace: 'data',
      values: { metrics: { enabled: true }, storage: { size: '100Gi' } },
    },
    {
      name: 'backup',
      releaseName: 'nightly',
      namespace: 'data',
      values: { database: { host: 'main-postgres' }, target: { keepDays: 90 } },
    },
  ]),
];

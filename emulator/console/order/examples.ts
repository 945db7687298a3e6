// Orders to start from. The charts are those that every emulator has.

/** An Order to start from. */
export interface ExampleOrder {
  readonly title: string;
  readonly description: string;
  /** The names of its charts: it is offered where all of them are available. */
  readonly charts: readonly string[];
  readonly text: string;
}

interface ExamplePackage {
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  /** YAML, indented by eight spaces. */
  readonly values?: string;
}

function exampleOf(
  title: string,
  description: string,
  name: string,
  packages: readonly ExamplePackage[],
): ExampleOrder {
  const listed = packages.map(
    ({ chart, release, namespace, values = '' }) => `    - chart:
        name: ${chart}
        sourceRef: {kind: Embed, name: ${chart}}
        releaseName: ${release}
        namespace: ${namespace}
${values}`,
  );
  const head = `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata:\n  name: ${name}\nspec:\n  packages:\n`;
  return { title, description, charts: packages.map(({ chart }) => chart), text: head + listed.join('') };
}

/** The examples. */
export const exampleOrders: readonly ExampleOrder[] = [
  exampleOf('Web application', 'A deployment with an ingress and autoscaling', 'website', [
    {
      chart: 'web',
      release: 'website',
      namespace: 'web',
      values: '        values:\n          ingress: {enabled: true}\n          autoscaling: {enabled: true}\n',
    },
  ]),
  exampleOf('Shop', 'A storefront with a database and a cache', 'shop', [
    {
      chart: 'postgres',
      release: 'database',
      namespace: 'shop',
      values: '        values:\n          auth: {database: shop}\n          storage: {size: 20Gi}\n',
    },
    { chart: 'redis', release: 'sessions', namespace: 'shop', values: '        values:\n          maxMemory: 256mb\n' },
    { chart: 'web', release: 'storefront', namespace: 'shop', values: '        values:\n          replicaCount: 3\n' },
  ]),
  exampleOf('Database with backups', 'PostgreSQL with metrics, backed up every night', 'database', [
    {
      chart: 'postgres',
      release: 'main',
      namespace: 'data',
      values: '        values:\n          metrics: {enabled: true}\n          storage: {size: 100Gi}\n',
    },
    {
      chart: 'backup',
      release: 'nightly',
      namespace: 'data',
      values: '        values:\n          database: {host: main-postgres}\n          target: {keepDays: 90}\n',
    },
  ]),
];

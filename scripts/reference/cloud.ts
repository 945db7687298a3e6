// The cloud provider of a cluster: provisions volumes for claims and assigns addresses to load balancers.

/** Sends a request to an API server. */
type Call = (method: string, path: string, body?: unknown, contentType?: string) => Promise<{ readonly body: unknown }>;

/** Stops the provider of a cluster. */
export type StopCloud = () => Promise<void>;

interface Thing {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

interface Claim extends Thing {
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly accessModes: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly phase?: string };
}

interface Service extends Thing {
  readonly spec: { readonly type?: string };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: unknown } };
}

const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'kubernetes.io/no-provisioner',
};

/** Provides volumes and addresses until it is stopped. */
export async function startCloud(call: Call): Promise<StopCloud> {
  await call('POST', '/apis/storage.k8s.io/v1/storageclasses', storageClass);
  const list = async <T>(path: string): Promise<readonly T[]> =>
    ((await call('GET', path)).body as { readonly items?: readonly T[] }).items ?? [];
  const provide = async (): Promise<void> => {
    for (const claim of await list<Claim>('/api/v1/persistentvolumeclaims')) {
      if (claim.status?.phase === 'Pending') await call('POST', '/api/v1/persistentvolumes', volumeFor(claim));
    }
    for (const { metadata, spec, status } of await list<Service>('/api/v1/services')) {
      if (spec.type !== 'LoadBalancer' || status?.loadBalancer?.ingress !== undefined) continue;
      const path = `/api/v1/namespaces/${metadata.namespace}/services/${metadata.name}/status`;
      const body = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
      await call('PATCH', path, body, 'application/merge-patch+json');
    }
  };
  let isOver = false;
  const work = (async (): Promise<void> => {
    while (!isOver) {
      // A server that is shutting down no longer responds.
      await provide().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  })();
  return async () => {
    isOver = true;
    await work;
  };
}

function volumeFor({ metadata: { name, namespace, uid }, spec }: Claim): object {
  return {
    metadata: { name: `volume-${uid}` },
    spec: {
      ...(spec.storageClassName === undefined ? {} : { storageClassName: spec.storageClassName }),
      volumeMode: spec.volumeMode ?? 'Filesystem',
      accessModes: spec.accessModes,
      capacity: { storage: spec.resources?.requests?.storage ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      hostPath: { path: '/tmp/volume' },
    },
  };
}

// `--helm 3.17,4.3`: renders one input with several Helm versions.

import { randomUUID } from 'node:crypto';
import { type Host, realHost, seededHost } from '../../core/host.ts';

/** Returns equivalent hosts: random values and the time are the same for every version. */
export function twinHosts(zone: string | undefined): () => Host {
  const [seed, now] = [randomUUID(), Date.now()];
  const { randomPrime: _, ...real } = realHost(zone);
  return () => {
    const { randomBytes, beginTemplate } = seededHost({ seed });
    return { ...real, now: () => now, randomBytes, beginTemplate };
  };
}

export { compareHelms } from '../../provenance/impact/helm-versions.ts';

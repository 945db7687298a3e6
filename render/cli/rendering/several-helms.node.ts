// What `--helm 3.17,4.3` takes, which renders one input as several Helm versions do.

import { randomUUID } from 'node:crypto';
import { type Host, realHost, seededHost } from '../../core/host.ts';

/** Returns worlds that answer alike: what is drawn is the same for every version, and so is the time. */
export function twinHosts(zone: string | undefined): () => Host {
  const [seed, now] = [randomUUID(), Date.now()];
  const { randomPrime: _, ...real } = realHost(zone);
  return () => {
    const { randomBytes, beginTemplate } = seededHost({ seed });
    return { ...real, now: () => now, randomBytes, beginTemplate };
  };
}

export { compareHelms } from '../../provenance/impact/helm-versions.ts';

// Plausible values for the names of fields.

import type { JsonValue } from '../order/order.ts';

/** Returns a plausible text for a value by its name, for a field that Kubernetes may read. */
export function exampleText(name: string): string {
  const found = texts.find(([pattern]) => pattern.test(name));
  return found === undefined ? 'example' : found[1];
}

const texts: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/host(name)?s?$|domain$/i, 'example.com'],
  [/url$|uri$|endpoint$/i, 'https://example.com'],
  [/mountPath$|path$/i, '/example'],
  [/(size|storage)$/i, '1Gi'],
  [/memory$/i, '128Mi'],
  [/^cpu$/i, '100m'],
  [/cron|schedule/i, '0 3 * * *'],
  [/ip$/i, '192.0.2.1'],
  [/cidr$/i, '192.0.2.0/24'],
  [/version/i, '1.2.3'],
  [/interval$|timeout$|duration$/i, '30s'],
  [/tag$/i, '1.2.3'],
];

/** Returns a value for a missing field of an example. */
export function exampleFor(name: string): JsonValue {
  if (/port$/i.test(name)) return 8080;
  if (/(replicas|count|seconds|weight|number|threshold)$/i.test(name)) return 1;
  if (/^(annotations|labels|matchLabels|selector)$/.test(name)) return { key: 'value' };
  return exampleText(name);
}

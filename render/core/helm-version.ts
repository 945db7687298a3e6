// The supported Helm versions, and how one is selected.

/** The versions, oldest first within each major version. */
export const helmVersions = [
  '3.17.3',
  '3.18.6',
  '3.19.5',
  '3.20.2',
  '3.21.4',
  '3.22.0',
  '4.1.4',
  '4.2.3',
  '4.2.4',
  '4.3.1',
] as const;

/** A supported Helm version. */
export type HelmVersion = (typeof helmVersions)[number];

/** The default version. */
export const defaultHelm: HelmVersion = newestHelm(3);

type Minor<T extends string> = T extends `${infer Major}.${infer Number}.${string}` ? `${Major}.${Number}` : never;

/**
 * Selects a version: the version itself, or a minor or major version for its newest supported one. A leading `v` is allowed. Other texts
 * are refused on use.
 */
export type HelmSelector = 3 | 4 | '3' | '4' | Minor<HelmVersion> | HelmVersion | (string & {});

/** The accepted selectors, as a list in a sentence. */
export const helmChoices = `3, 4, ${[...new Set(helmVersions.map(minorOf))].join(', ')}, or one of ${helmVersions.join(', ')}`;

/** All accepted selectors without a leading `v`. */
export const helmSelectors: readonly string[] = [...new Set(['3', '4', ...helmVersions.map(minorOf), ...helmVersions])];

function minorOf(version: string): string {
  return version.slice(0, version.lastIndexOf('.'));
}

/** Returns the version for a selector such as `3`, `'4.2'` or `'v3.22.0'`, or undefined. */
export function findHelmVersion(selector: unknown): HelmVersion | undefined {
  if (selector === 3 || selector === 4) return findHelmVersion(String(selector));
  if (typeof selector !== 'string') return undefined;
  const wanted = selector.replace(/^v/, '');
  return helmVersions.findLast((version) => version === wanted || version.startsWith(`${wanted}.`));
}

/** Returns the newest version of a major version. */
export function newestHelm(major: 3 | 4): HelmVersion {
  return findHelmVersion(major)!;
}

/** Returns the versions as a list in a sentence: `3.17.3 to 3.22.0 and 4.1.4 to 4.3.1`. */
export function helmNames(): string {
  const range = (major: string): string => {
    const versions = helmVersions.filter((version) => version.startsWith(major));
    return `${versions[0]} to ${versions.at(-1)}`;
  };
  return `${range('3')} and ${range('4')}`;
}

/** The part of render settings that selects Helm versions, such as `3.17` or `any`. */
interface HelmSettings {
  readonly helm: readonly string[];
}

/** Returns the Helm version that renders: the first one; for `any` the default version. */
export function helmVersionOf(settings: HelmSettings): string {
  return helmVersionsOf(settings)[0];
}

/** Returns the Helm versions without duplicates. */
export function helmVersionsOf({ helm }: HelmSettings): readonly [string, ...string[]] {
  const selected = helm.map((text) => (text === 'any' ? defaultHelm : (findHelmVersion(text) ?? text)));
  const [first = defaultHelm, ...others] = new Set(selected);
  return [first, ...others];
}

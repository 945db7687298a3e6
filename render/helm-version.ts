// What the Helms call themselves; the one place that says so, for tables and scripts that need no more of them.

/** The versions of the Helms whose output is given, by major version. */
export const helmVersions = { 3: 'v3.17.3', 4: 'v4.2.3' } as const;

/** Gives the Helms as a sentence has them: `3.17.3 or 4.2.3`. */
export function helmNames(): string {
  return Object.values(helmVersions)
    .map((version) => version.slice(1))
    .join(' or ');
}

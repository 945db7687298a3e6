// The API versions that a Helm knows, written by group.

/** Gives API versions of lines such as `apps: v1 v1beta1` or `v1`, in their order. */
export function listApiVersions(lines: string): readonly string[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [group, versions] = line.split(': ');
      return versions === undefined ? [line] : versions.split(' ').map((version) => `${group}/${version}`);
    });
}

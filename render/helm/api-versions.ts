// The API versions that a Helm knows, written by group.

/** Gives what lists the API versions of lines such as `apps: v1 v1beta1` or `v1`, in their order, once it is asked. */
export function apiVersionList(lines: string): () => readonly string[] {
  let versions: readonly string[] | undefined;
  return () => {
    versions ??= lines
      .trim()
      .split('\n')
      .flatMap((line) => versionsOf(line));
    return versions;
  };
}

function versionsOf(line: string): string[] {
  const [group, versions] = line.split(': ');
  return versions === undefined ? [line] : versions.split(' ').map((version) => `${group}/${version}`);
}

// Paths to members of values as users write them: `hosts[0].name`, `labels["a.b"]`.

/** The keys and indexes that lead to a value. */
export type Steps = readonly (string | number)[];

/** Returns the path of a member: `a.b`, `a[0]`, or `a["odd key"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Parses a path into steps, indexes as texts. A dot within a name is escaped with a backslash, or the name is in brackets and quotes. */
export function splitPath(path: string): string[] {
  const steps: string[] = [];
  for (const [, quoted, index, name] of path.matchAll(/\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|\.?((?:[^.[\\]|\\.)+)/g)) {
    steps.push(quoted === undefined ? (index ?? (name ?? '').replace(/\\(.)/g, '$1')) : unquoted(quoted));
  }
  return steps;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Reports whether a path is a pattern, such as `charts/*`. */
export function isPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

// Environment variables in texts.
// Mirrors: Go, os, env.go, `Expand`, 1.23.

/** Replaces `${name}` and `$name` with the result of `variable`. Removes `${}`, and `${` without a closing brace. */
export function expandEnv(text: string, variable: (name: string) => string): string {
  const end = text.lastIndexOf('}') + 1;
  const closed = text
    .slice(0, end)
    .replace(/\$(?:\{([^}]*)\}?|([*#$@!?0-9-]|\w+))/g, (_, braced?: string, plain?: string) => {
      const name = braced ?? plain ?? '';
      return name === '' ? '' : variable(name);
    });
  const open = text
    .slice(end)
    .replace(/\$(?:\{|([*#$@!?0-9-]|\w+))/g, (_, name?: string) => (name === undefined ? '' : variable(name)));
  return closed + open;
}

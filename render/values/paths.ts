// Paths to values, as people write them.

/** The names and indexes that lead to a value. */
export type Steps = readonly (string | number)[];

/** Gives a path as people write it: `hosts[0].name`. */
export function pathText(steps: Steps): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = /^[^.[\]"\s]+$/.test(step) ? step : undefined;
    if (name === undefined) return `${path}[${JSON.stringify(step)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

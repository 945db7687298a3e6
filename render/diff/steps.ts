// The way to a member of an object: as a program walks it, and as a person reads it.

/** What identifies an item of a list: its members of these names, such as `name` and `web`. */
export interface ItemKey {
  readonly members: readonly (readonly [name: string, text: string])[];
}

/** A step to a member: the name of a map's member, the index of an item, or what an item is known by. */
export type DiffStep = string | number | ItemKey;

/** The steps to a member of one side: names and indices. */
export type DiffSteps = readonly (string | number)[];

/** Returns a path as people write it: `spec.containers[name=web].ports[0]`, `metadata.annotations["a.b/c"]`. */
export function stepsText(steps: readonly DiffStep[]): string {
  return steps.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: DiffStep): string {
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step !== 'string') return `[${step.members.map(([name, text]) => `${name}=${text}`).join(',')}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Reports whether steps fit a pattern: names, `*` for any one step (an item of a list, too), `**` at the end for any rest. */
export function fitsSteps(steps: readonly DiffStep[], pattern: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    const start = pattern.slice(0, -1);
    return steps.length >= start.length && fitsSteps(steps.slice(0, start.length), start);
  }
  return steps.length === pattern.length && pattern.every((name, i) => name === '*' || name === steps[i]);
}

// Paths to members of an object, for programs and for people.

/** The identity of a list item: its members with these names, such as `name` and `web`. */
export interface ItemKey {
  readonly members: readonly (readonly [name: string, text: string])[];
}

/** A step of a path: a map key, a list index, or the identity of an item. */
export type DiffStep = string | number | ItemKey;

/** Formats a path for people: `spec.containers[name=web].ports[0]`, `metadata.annotations["a.b/c"]`. */
export function stepsText(steps: readonly DiffStep[]): string {
  return steps.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: DiffStep): string {
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step !== 'string') return `[${step.members.map(([name, text]) => `${name}=${text}`).join(',')}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Reports whether a path matches a pattern: names, `*` for any one step (including list items), `**` at the end for any rest. */
export function fitsSteps(steps: readonly DiffStep[], pattern: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    const start = pattern.slice(0, -1);
    return steps.length >= start.length && fitsSteps(steps.slice(0, start.length), start);
  }
  return steps.length === pattern.length && pattern.every((name, i) => name === '*' || name === steps[i]);
}

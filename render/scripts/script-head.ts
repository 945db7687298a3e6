// What the head of an install script says of secrets, and of what differs from rendering to rendering.

import type { PackageView, RandomView, ScriptView } from './views.ts';

/** Gives the lines on what chance made: what is kept, and what each rendering or each upgrade makes anew. */
export function chanceLines({ packages, tool }: ScriptView): string[] {
  const all = packages.flatMap(({ random }) => random);
  const isKept = (item: RandomView): boolean => (tool === 'helm' ? item.isLookedUp : item.isKept);
  const kept = all.filter(isKept).map(lineOf);
  const others = all.filter((item) => !isKept(item)).map(lineOf);
  const [keptTitle, otherTitle] =
    tool === 'helm'
      ? ['Random, and looked up by its chart, which may keep it:', 'Random: Helm makes it anew with every upgrade:']
      : ['Random, so created once and then kept as it is:', 'Random: other with each rendering of the order:'];
  return [...(kept.length === 0 ? [] : [keptTitle, ...kept]), ...(others.length === 0 ? [] : [otherTitle, ...others])];
}

function lineOf({ title, path, members }: RandomView): string {
  return `  ${title}: ${members.length === 0 ? 'its name' : members.join(', ')} (${path})`;
}

/** Gives the lines on the secrets that a script reads when it runs, or a word of warning where it holds them. */
export function secretLines({ packages, secretSource }: ScriptView): string[] {
  if (secretSource === 'keep') return [];
  const secrets = packages.flatMap((item: PackageView) => item.secrets);
  if (secrets.length === 0) return [];
  const first =
    secretSource === 'env'
      ? 'It holds no secrets: each of these variables must be set when it runs.'
      : 'It holds no secrets: it asks for each of these that is not set as a variable when it runs.';
  return [first, ...secrets.map(({ variable, title }) => `  ${variable}: ${title}`)];
}

// Output that differs in each rendering: random names, passwords and keys.

import type { Issue } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { RenderedPackages } from '../../engine/packages.ts';
import { customScopes, isSecret } from '../../output/objects.ts';
import { keptAmong, objectKey, randomObjects } from '../../output/random.ts';
import { note, shownObject, warning } from './package.ts';

/**
 * Returns an issue for each object that differs between renderings: a warning for a Secret that its chart does not look up, because an
 * upgrade with Helm replaces it, and a note for all others. Renders packages that use randomness again.
 */
export function checkRandom(rendered: RenderedPackages): Issue[] {
  const scopes = customScopes(rendered);
  return rendered.packages.flatMap((item) => {
    const path = joinPath(item.selection.path, 'chart');
    const objects = randomObjects(item, scopes);
    const kept = keptAmong(objects);
    return objects.map(({ object, paths }): Issue => {
      const { apiVersion, kind, namespace, name } = object;
      const what =
        paths.length === 0
          ? 'a random name, another one in every rendering'
          : `random values (${paths.join(', ')}), others in every rendering`;
      const message = `${shownObject(object)} of ${object.path} has ${what}`;
      const isLookedUp = item.chance.lookups.has([apiVersion, kind, namespace, name].join(' '));
      if (!isSecret(object) || paths.length === 0) {
        const hint = kept.has(objectKey(object))
          ? 'The kubectl script creates it once and keeps it; values of the chart may set it.'
          : 'Values of the chart may set it.';
        return { ...note(path, message, hint), code: 'RANDOM_VALUE' };
      }
      const ofHelm = isLookedUp
        ? 'Helm may keep it, since the chart looks it up'
        : 'each upgrade with Helm replaces it';
      const hint = `The kubectl script creates it once and keeps it; ${ofHelm}: set it with values of the chart.`;
      return { ...(isLookedUp ? note : warning)(path, message, hint), code: 'RANDOM_VALUE' };
    });
  });
}

// Packages that render differently in the Order: they check for API versions that the Order itself provides.

import type { Issue } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { RenderedPackages } from '../../engine/packages.ts';
import { note, warning } from './package.ts';

/**
 * Returns a note for each package whose templates find API versions provided by the Order, in addition to the caller's; and a warning for
 * API versions of the caller that the Order provides only later.
 */
export function checkApis(rendered: RenderedPackages): Issue[] {
  const given = new Set(rendered.apiVersions);
  return rendered.packages.flatMap(({ selection, apis }, index): Issue[] => {
    const path = joinPath(selection.path, 'chart');
    const queried = [...apis.queried].sort();
    const found = queried.filter((name) => apis.brought.has(name) && !given.has(name));
    const early = queried.filter((name) => given.has(name) && !apis.brought.has(name));
    const later = rendered.packages.slice(index);
    return [
      ...(found.length === 0 ? [] : [foundIssue(path, found, apis.brought)]),
      ...early.flatMap((name) => {
        const provider = later.find(({ definitions: { crds, objects } }) =>
          [...crds, ...objects].some(({ apiVersions }) => apiVersions.includes(name)),
        );
        return provider === undefined ? [] : [earlyIssue(path, name, provider.selection.path)];
      }),
    ];
  });
}

function foundIssue(path: string, names: readonly string[], brought: ReadonlyMap<string, string>): Issue {
  const sources = [...new Set(names.map((name) => brought.get(name)))].join(', ');
  const message = `its templates ask for ${names.join(', ')} and find it, because ${sources} provides it`;
  return note(path, message, `Rendered alone, it needs -a ${names.join(',')} for the same.`);
}

function earlyIssue(path: string, name: string, source: string): Issue {
  return warning(
    path,
    `its templates ask for ${name}, which -a declares, and ${source} provides it only after they are rendered`,
    'Where the cluster has it not yet, the first installation differs: install it with a package before this one.',
  );
}

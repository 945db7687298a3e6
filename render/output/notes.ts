// The NOTES.txt of an Order's charts.

import type { RenderedPackages } from '../engine/packages.ts';

/** Returns the notes of every package that has some, each under a line with its release and chart. Empty if there are none. */
export function formatNotes({ packages }: RenderedPackages): string {
  return packages
    .filter(({ release }) => release.notes.trim() !== '')
    .map(({ chart, release }) => {
      const { name, version } = chart.metadata;
      return `NOTES of ${release.namespace}/${release.name} (${name} ${version}):\n${release.notes.replace(/(?<!\n)\n*$/, '\n')}`;
    })
    .join('\n');
}

// Unread defaults of sub-charts, looked up in the sub-chart's own values.yaml.

import type { Chart } from '../../chart/chart.ts';
import type { SubchartUnread } from '../../coverage/defaults.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import { isTable } from '../../values/lookup.ts';
import { unreadValues } from '../../values/reads.ts';
import { sections, unreadPaths } from './unread.ts';

type Steps = readonly (string | number)[];

/** Returns the unread defaults of each enabled sub-chart, once for each name that it was used under. */
export function unreadInSubcharts(chart: Chart, release: RenderedRelease): SubchartUnread[] {
  const found: SubchartUnread[] = [];
  const visit = (loaded: Chart, rendered: Chart, at: Pick<SubchartUnread, 'folder' | 'prefix'>): void => {
    for (const used of rendered.children) {
      const name = used.metadata.name;
      const entry = loaded.metadata.dependencies.find(({ alias, name: own }) => (alias || own) === name);
      const child = loaded.children.find(({ metadata }) => metadata.name === (entry?.name ?? name));
      if (child === undefined) continue;
      const inner = {
        folder: `${at.folder}charts/${child.metadata.name}/`,
        prefix: [...at.prefix, name],
      };
      const imported = (entry?.importValues ?? []).map(importedFrom);
      const unread = [...own(child, inner.prefix), ...globals(child, used, inner.prefix)];
      const isImported = (steps: Steps): boolean =>
        imported.some(
          (path) => steps.concat('').join('.').startsWith(`${path}.`) || path.startsWith(`${steps.join('.')}.`),
        );
      found.push({ chart: child, ...inner, unread: unread.filter((steps) => !isImported(steps)) });
      visit(child, used, inner);
    }
  };
  const own = (child: Chart, prefix: readonly string[]): Steps[] => {
    const values: GoMap = new Map([...child.values].filter(([key]) => key !== 'global'));
    const given = prefix.reduceRight<GoValue>((inner, step) => new Map([[step, inner]]), values);
    const paths = unreadPaths(chart, release, given as GoMap);
    // An entirely unread table is reported once, and this one may be the whole section.
    const isWhole = paths.some((steps) => steps.length <= prefix.length);
    return isWhole ? [...values.keys()].map((key) => [key]) : paths.map((steps) => steps.slice(prefix.length));
  };
  // A global value is read by a chart or its sub-charts.
  const globals = (child: Chart, used: Chart, prefix: readonly string[]): Steps[] => {
    const given = child.values.get('global');
    const section = prefix.reduce<GoValue>(
      (value, step) => (value instanceof Map ? (Map.prototype.get.call(value, step) as GoValue) : null) ?? null,
      release.values,
    );
    if (!isTable(given) || !isTable(section)) return [];
    return unreadValues(new Map([['global', given]]), sections(used, section)).map(({ steps }) => steps);
  };
  visit(chart, release.chart, { folder: '', prefix: [] });
  return found;
}

// Imported values may be read in the parent: `data` of the table `exports`, or what `child` names.
function importedFrom(entry: GoValue): string {
  if (typeof entry === 'string') return `exports.${entry}`;
  const child = isTable(entry) ? entry.get('child') : undefined;
  return typeof child === 'string' ? child : 'exports';
}

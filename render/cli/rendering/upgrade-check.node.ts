// `drydock upgrade-check`: what an upgrade of a chart does to a user's values.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkUpgrade, type UpgradeReport } from '../../api/upgrade.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { emitYaml } from '../../codec/yaml/emit.ts';
import { formatDifference } from '../../diff/text.ts';
import { helmOf } from '../../helm/versions.ts';
import type { JsonValue } from '../../order/order.ts';
import type { ValueChange } from '../../upgrade/check.ts';
import { valueOfJson } from '../../values/patch.ts';
import { schemasFor } from '../../vendor/lock/schemas.node.ts';
import { cutText } from '../counted.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { readUserValues } from './chart-flags.node.ts';
import { helmVersionOf, locateChart } from './read.node.ts';
import { failureJson } from './reasons.ts';

/** Compares two versions of a chart. Returns 0 where the values mean the same to both, else 1. Throws UsageError, RenderError. */
export async function upgradeCheckCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [old, young, ...others] = flags.args;
  if (old === undefined || young === undefined || others.length > 0) {
    throw new UsageError('"drydock upgrade-check" takes the old and the new version of a chart');
  }
  const helm = helmVersionOf(flags);
  const paths = [old, young].map((word) => locateChart(word, io.cwd));
  const [before, after] = await Promise.all(paths.map((path) => loadChartPath(path, { helm, onWarning: () => {} })));
  const report = checkUpgrade(before!, after!, {
    ...(await readUserValues(flags, io, helmOf(helm))),
    helm,
    releaseName: flags.text('release') || undefined,
    namespace: flags.text('namespace') || undefined,
    kubeVersion: flags.text('kube-version') || undefined,
    apiVersions: flags.list('api-versions'),
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    schemas: schemasFor([...paths, io.cwd]).source,
  });
  const file = flags.text('write');
  if (file !== undefined) await writeFile(resolve(io.cwd, file), emitYaml(valueOfJson(report.patched)));
  const title = [before!, after!].map(({ metadata }) => `${metadata.name} ${metadata.version}`).join(' to ');
  io.stdout(flags.on('json') ? `${JSON.stringify(jsonOf(report), undefined, 2)}\n` : textOf(title, report));
  const isFailed = report.failureBefore !== undefined || report.failureAfter !== undefined;
  return isFailed || report.values.some(({ kind }) => kind !== 'unused') ? 1 : 0;
}

function jsonOf({ failureBefore, failureAfter, ...rest }: UpgradeReport): object {
  return {
    ...rest,
    failureBefore: failureBefore && failureJson(failureBefore),
    failureAfter: failureAfter && failureJson(failureAfter),
  };
}

const headings: readonly (readonly [kind: ValueChange['kind'], heading: string])[] = [
  ['moved', 'Moved'],
  ['unread', 'No longer read'],
  ['unused', 'Read by neither version'],
];

function textOf(title: string, { values, defaults, failureBefore, failureAfter, difference }: UpgradeReport): string {
  const sections: string[][] = [[title]];
  for (const [kind, heading] of headings) {
    const own = values.filter((one) => one.kind === kind);
    if (own.length > 0) sections.push([`${heading}:`, ...own.map(changeLine)]);
  }
  if (values.length === 0 && failureBefore === undefined) sections.push(['The new version reads all of your values.']);
  if (defaults.length > 0) {
    const lines = defaults.map(({ path, before, after }) => `  ${path}: ${shortText(before)} to ${shortText(after)}`);
    sections.push(['Defaults that changed, of values that you do not set:', ...lines]);
  }
  if (failureBefore !== undefined)
    sections.push(['The old version does not render your values:', failureBefore.message.trimEnd()]);
  if (failureAfter !== undefined) {
    sections.push([
      'The new version does not render them, with what moved in its new place:',
      failureAfter.message.trimEnd(),
    ]);
  }
  if (difference !== undefined) {
    sections.push(['What changes, with what moved in its new place:', formatDifference(difference).trimEnd()]);
  }
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function changeLine({ path, value, to }: ValueChange): string {
  return to === undefined ? `  ${path}: ${shortText(value)}` : `  ${path} to ${to}`;
}

function shortText(value: JsonValue): string {
  return cutText(JSON.stringify(value), 60);
}

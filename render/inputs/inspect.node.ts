// Inspects Orders on disk, for one or several Kubernetes versions.

import { inspectWith } from '../api/order.ts';
import { checkArguments } from '../core/arguments.ts';
import type { Issue } from '../core/errors.ts';
import { chooseVersions, skippedNote } from '../engine/kube-versions.ts';
import { helmOf } from '../helm/versions.ts';
import { orderIssues } from '../validation/objects/document-issues.ts';
import { inputArgument } from './input-argument.node.ts';
import { kubeRangesOfOrder } from './kube-ranges.node.ts';
import { listKubeVersions } from './kube-versions.ts';
import { type OrderInput, readOrderFile } from './orders.node.ts';
import { type RunOptions, runContext, runOptionsArgument } from './run-options.node.ts';
import { helmVersionOf, type RenderSettings } from './settings.ts';

/**
 * Returns all issues of an Order, given by the path of its file, as `drydock check` does: those of `inspectOrder`, and with the setting
 * `validate` those of the objects against the schemas of Kubernetes. Of several Kubernetes versions, an issue names the ones that have it;
 * a version that a chart refuses is skipped, unless all are refused. Rejects with UsageError, ORDER_INVALID, CHART_NOT_FOUND,
 * ARGUMENT_INVALID.
 * @example
 * const issues = await inspectOrderFile('order.yaml', { settings: { kubeVersions: ['1.29', '1.33'], validate: 'strict' } });
 * const errors = issues.filter(({ severity }) => severity === 'error');
 */
export async function inspectOrderFile(
  input: string | OrderInput,
  options: RunOptions = {},
): Promise<readonly Issue[]> {
  checkArguments('inspectOrderFile', ['input', input, inputArgument], ['options', options, runOptionsArgument]);
  const { settings, io } = runContext(options);
  const order = typeof input === 'string' ? await readOrderFile(input, settings, io) : input;
  const versions = listKubeVersions(settings);
  if (versions.length < 2) return inspectFor(order, versions[0], settings);
  const helm = helmOf(helmVersionOf(settings));
  const packages = await kubeRangesOfOrder(order);
  const ranges = packages.map(({ range }) => range);
  const { accepted } = chooseVersions(ranges, versions, helm);
  const chosen = accepted.length === 0 ? versions : accepted;
  const found = new Map<string, { readonly issue: Issue; readonly versions: (string | undefined)[] }>();
  for (const version of chosen) {
    for (const issue of await inspectFor(order, version, settings)) {
      const { severity, path, code, message } = issue;
      const key = JSON.stringify([severity, path, code, message]);
      const known = found.get(key) ?? { issue, versions: [] };
      known.versions.push(version);
      found.set(key, known);
    }
  }
  const issues = [...found.values()].map(({ issue, versions: own }) =>
    own.length === chosen.length ? issue : { ...issue, message: `${issue.message} (Kubernetes ${own.join(', ')})` },
  );
  if (accepted.length === 0) return issues;
  const notes = packages.flatMap(({ path, range }): Issue[] => {
    const { refused } = chooseVersions([range], versions, helm);
    return refused.length === 0 ? [] : [{ path, message: skippedNote(range, refused), severity: 'note' }];
  });
  return [...issues, ...notes];
}

function inspectFor({ text, options }: OrderInput, kubeVersion: string | undefined, { validate }: RenderSettings) {
  const own = { ...options, kubeVersion };
  return inspectWith(text.value, own, (rendered) =>
    validate === 'ignore' ? [] : orderIssues(rendered, own, validate),
  );
}

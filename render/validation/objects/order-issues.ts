// Validates the rendered objects of an Order and reports problems as issues of the Order.

import { type Issue, RenderError } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import { type OrderOptions, type RenderedPackages, tryPackages } from '../../engine/packages.ts';
import type { TracedObjects } from '../../provenance/trace/explanation.ts';
import { orderObjects } from '../../provenance/trace/objects.ts';
import { type DocumentIssue, documentIssues, type FieldValidation, objectIssueText } from './document-issues.ts';

/**
 * Returns an issue for each problem of a rendered Order's objects. If there are any, it is rendered again to find the template lines. An
 * invalid CRD file prevents the validation: `inspectOrder` reports it.
 */
export async function orderIssues(
  rendered: RenderedPackages,
  options: OrderOptions,
  validate: FieldValidation,
): Promise<readonly Issue[]> {
  const places = new Map(
    rendered.packages.flatMap(({ selection, release }) =>
      [...release.crds, ...release.manifests, ...release.hooks].map(
        (document) => [document, joinPath(selection.path, 'chart')] as const,
      ),
    ),
  );
  let traced: Promise<readonly TracedObjects[]> | undefined;
  const traces = (): Promise<readonly TracedObjects[]> => {
    traced ??= tryPackages(rendered.order, { ...options, onWarning: undefined }, { isTraced: true }).then((again) =>
      orderObjects(again.rendered.packages),
    );
    return traced;
  };
  let found: readonly DocumentIssue[];
  try {
    found = await documentIssues([...places.keys()], { kubeVersion: rendered.kubeVersion, validate, traces });
  } catch (error) {
    if (error instanceof RenderError && error.code === 'MANIFEST_INVALID') return [];
    throw error;
  }
  return found.map(({ document, issue }): Issue => {
    const isOfApi = issue.kind === 'gone' || issue.kind === 'deprecated';
    return {
      path: places.get(document) ?? '',
      message: objectIssueText(issue),
      severity: issue.severity,
      hint: issue.hint,
      code: isOfApi ? 'API_DEPRECATED' : 'SCHEMA_INVALID',
    };
  });
}

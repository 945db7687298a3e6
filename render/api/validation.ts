// Validates rendered objects against the schemas of a Kubernetes version.

import {
  checkArguments,
  either,
  filled,
  having,
  listOf,
  oneOf,
  optional,
  optionsOf,
  text,
  wholeNumber,
} from '../core/arguments.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { splitManifests } from '../manifest/split.ts';
import {
  documentIssues,
  type FieldValidation,
  type ObjectIssue,
  objectIssueText,
} from '../validation/objects/document-issues.ts';
import { createCapabilities } from '../values/capabilities.ts';
import type { Release } from './chart.ts';
import { tracedObjectsOf } from './explain.ts';
import type { RenderedOrder } from './order.ts';

/** The options of `validateObjects`. */
export interface ValidationOptions {
  /** The version of Kubernetes, such as `1.31`. Default: that of the rendered Order, or the one that the default Helm was built for. */
  readonly kubeVersion?: string | undefined;
  /** Whether an unknown field is an error or a warning. Default `strict`, as `kubectl --validate`. */
  readonly validate?: FieldValidation | undefined;
}

const validationOptions = optionsOf<ValidationOptions>({
  kubeVersion: filled,
  validate: oneOf(['strict', 'warn'] satisfies readonly FieldValidation[]),
});
const documents = listOf(having<SourcedDocument>('a rendered object', { path: text, content: text }));
const release = having<Release>('what renderRelease gave', { objects: documents, hooks: documents, crds: documents });
const order = having<RenderedOrder>('what renderOrder gave', { packages: listOf(having('a rendered package', {})) });
const rendering = either(
  (value) => typeof value === 'string',
  text,
  either((value) => typeof value === 'object' && value !== null && 'packages' in value, order, release),
);

/**
 * Validates objects offline against the schemas of a Kubernetes version, as an API server does: unknown fields, wrong types, missing
 * fields, removed APIs; custom resources against the definitions among the same objects. Accepts a text of objects, or the result of
 * renderRelease or renderOrder; if that was traced (`trace: true`), each problem has its template line. Rejects with ARGUMENT_INVALID, with
 * VALUES_INVALID for an invalid version, with MANIFEST_INVALID for invalid YAML.
 * @example
 * for (const { object, message } of await validateObjects(manifest, { kubeVersion: '1.31' })) console.log(object, message);
 */
export async function validateObjects(
  rendered: string | Release | RenderedOrder,
  options: ValidationOptions = {},
): Promise<readonly ObjectIssue[]> {
  checkArguments('validateObjects', ['rendered', rendered, rendering], ['options', options, validationOptions]);
  const { kubeVersion, validate = 'strict' } = options;
  const own = typeof rendered !== 'string' && 'packages' in rendered ? rendered.kubeVersion : undefined;
  const { version } = createCapabilities({ kubeVersion: kubeVersion ?? own }).kubeVersion;
  const traces = typeof rendered === 'string' ? undefined : tracedObjectsOf(rendered);
  const found = await documentIssues(documentsOf(rendered), {
    kubeVersion: version,
    validate,
    traces: () => traces ?? [],
  });
  return found.map(({ issue }) => issue);
}

const objectIssue = having<ObjectIssue>('a problem of an object, as returned by validateObjects', {
  object: text,
  source: text,
  line: optional(wholeNumber(1)),
  writtenAt: optional(having<NonNullable<ObjectIssue['writtenAt']>>('a place', { file: text, line: wholeNumber(1) })),
  message: text,
  kubeVersion: text,
});

/**
 * Formats a problem of an object on one line: the object, its template, and what is wrong by which version of Kubernetes. Throws
 * ARGUMENT_INVALID.
 */
export function formatObjectIssue(issue: ObjectIssue): string {
  checkArguments('formatObjectIssue', ['issue', issue, objectIssue]);
  return objectIssueText(issue);
}

function documentsOf(rendered: string | Release | RenderedOrder): SourcedDocument[] {
  if (typeof rendered === 'string') {
    return splitManifests(rendered).map((content) => {
      return { path: /^# Source: (.*\S)/m.exec(content.slice(0, 2000))?.[1] ?? '', content: `${content}\n` };
    });
  }
  if (!('packages' in rendered)) return [...rendered.crds, ...rendered.objects, ...rendered.hooks];
  return rendered.packages.flatMap(({ release: { crds, manifests, hooks } }) => [...crds, ...manifests, ...hooks]);
}

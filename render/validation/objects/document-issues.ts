// Validates rendered documents against the schemas of a Kubernetes version, and finds the template line that wrote each invalid field.

import { type Issue, RenderError } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import { type OrderOptions, type RenderedPackages, tryPackages } from '../../engine/packages.ts';
import type { GoMap } from '../../go/value.ts';
import { member, readObjects, textMember } from '../../manifest/objects.ts';
import type { SourcedDocument } from '../../manifest/source.ts';
import { writtenFrom } from '../../provenance/impact/places.ts';
import type { TracedObjects } from '../../provenance/trace/explanation.ts';
import { orderObjects } from '../../provenance/trace/objects.ts';
import { createValidator, type ObjectFault, type Validator } from '../kubernetes/validate.ts';

/** How to treat an unknown field: as an error, like kubectl, or as a warning, like a server that Helm talks to. */
export type FieldValidation = 'strict' | 'warn';

/** A problem of a rendered object. */
export interface ObjectIssue {
  /** An unknown field, a wrong type or value, a missing field; or a kind that does not exist, was removed or will be. */
  readonly kind: ObjectFault['kind'];
  readonly severity: 'error' | 'warning';
  /** For example `Deployment/web`, with the namespace in the middle if the object has one. */
  readonly object: string;
  /** The template file that rendered it; empty if unknown. */
  readonly source: string;
  /** The line (from 1) of that file which wrote the field, or included what did, if the rendering was traced. */
  readonly line?: number | undefined;
  /** Where the field is written, if that is another file: the line of a named template. */
  readonly writtenAt?: { readonly file: string; readonly line: number } | undefined;
  /** The field, such as `spec.replicas`; empty for the whole object. */
  readonly path: string;
  /** In kubectl's words, such as `unknown field "spec.replcas"`. */
  readonly message: string;
  readonly hint: string;
  /** The Kubernetes version of the schemas: the nearest available one to the requested version. */
  readonly kubeVersion: string;
}

export interface DocumentIssue {
  readonly document: SourcedDocument;
  readonly issue: ObjectIssue;
}

/** A problem of an object, and the place of the object. */
export interface DocumentFault {
  readonly document: SourcedDocument;
  /** For example `Deployment/web`. */
  readonly object: string;
  readonly apiVersion: string;
  readonly fault: ObjectFault;
  /** The Kubernetes version of the schemas. */
  readonly kubeVersion: string;
}

interface DocumentValidation {
  readonly kubeVersion: string;
  readonly validate: FieldValidation;
  /** Whether only removed and deprecated APIs count. Default false. */
  readonly onlyApis?: boolean | undefined;
  /** Returns the traces that may contain a document with a problem. */
  readonly traces: (document: SourcedDocument) => readonly TracedObjects[] | Promise<readonly TracedObjects[]>;
}

/** Returns the problems of documents, in order. Rejects with MANIFEST_INVALID for invalid YAML. */
export async function documentIssues(
  given: readonly SourcedDocument[],
  { kubeVersion, validate, onlyApis = false, traces }: DocumentValidation,
): Promise<DocumentIssue[]> {
  const issues: DocumentIssue[] = [];
  for (const found of documentFaults(given, { kubeVersion, onlyApis })) {
    const { document } = found;
    issues.push({ document, issue: issueOfObject(found, { validate, traces: await traces(document) }) });
  }
  return issues;
}

/**
 * Returns the problems of documents, in order, without template lines. `read` returns the objects of a document; default `readObjects`.
 * Throws MANIFEST_INVALID for invalid YAML.
 */
export function documentFaults(
  given: readonly SourcedDocument[],
  {
    kubeVersion,
    onlyApis = false,
    read = readObjects,
  }: Pick<DocumentValidation, 'kubeVersion' | 'onlyApis'> & {
    readonly read?: ((document: SourcedDocument) => readonly GoMap[]) | undefined;
  },
): DocumentFault[] {
  const apis = onlyApis ? createValidator(kubeVersion) : undefined;
  const checked = apis === undefined ? given : given.filter((document) => mayGo(document, apis));
  const all = checked.map((document) => ({ document, objects: read(document) }));
  const definitions = all.flatMap(({ objects }) => objects.filter(isDefinition));
  const validator = createValidator(kubeVersion, definitions);
  return all.flatMap(({ document, objects }) =>
    objects.flatMap((object) => {
      const faults = onlyApis ? validator.checkApi(object) : validator.check(object);
      const about = { document, apiVersion: textMember(object, 'apiVersion'), kubeVersion: validator.version };
      return faults.map((fault) => ({ ...about, object: objectLabel(object), fault }));
    }),
  );
}

/** Returns a problem with the template line that wrote its field, if one of the traces has it. */
export function issueOfObject(
  { document, object, fault, kubeVersion }: DocumentFault,
  { validate, traces }: { readonly validate: FieldValidation; readonly traces: readonly TracedObjects[] },
): ObjectIssue {
  const { kind, path, message, hint } = fault;
  const isMild = kind === 'deprecated' || (kind === 'unknown' && validate === 'warn');
  const place = { object, source: document.path, ...linesOf(fault, document, traces), path };
  return { kind, severity: isMild ? 'warning' : 'error', ...place, message, hint, kubeVersion };
}

/** Formats a problem on one line: the object, its template, and what is wrong by which version. */
export function objectIssueText({ object, source, line, writtenAt, message, kubeVersion }: ObjectIssue): string {
  const written = writtenAt === undefined ? '' : `, written by ${writtenAt.file}:${writtenAt.line}`;
  const place = source === '' ? '' : ` of ${source}${line === undefined ? '' : `:${line}`}${written}`;
  return `${object}${place}: ${message} (Kubernetes ${kubeVersion})`;
}

// Two lines of most documents are enough to know that their API is current.
function mayGo({ content }: SourcedDocument, validator: Validator): boolean {
  const apiVersion = /^apiVersion: *["']?([\w./-]+)["']?[ \t]*(?:#.*)?$/m.exec(content)?.[1];
  const kind = /^kind: *["']?(\w+)["']?[ \t]*(?:#.*)?$/m.exec(content)?.[1];
  if (apiVersion === undefined || kind === undefined || kind.endsWith('List')) return true;
  return (
    validator.checkApi(
      new Map([
        ['apiVersion', apiVersion],
        ['kind', kind],
      ]),
    ).length > 0
  );
}

function isDefinition(object: GoMap): boolean {
  return textMember(object, 'kind') === 'CustomResourceDefinition';
}

/** Returns the name of an object in an issue, such as `Deployment/shop/web`. */
function objectLabel(object: GoMap): string {
  const metadata = member(object, 'metadata');
  const name = textMember(metadata, 'name') || textMember(metadata, 'generateName');
  return [textMember(object, 'kind'), textMember(metadata, 'namespace'), name].filter((word) => word !== '').join('/');
}

// A missing field has no line; that of its parent is reported.
function linesOf(
  { kind: what, steps }: ObjectFault,
  { path, content }: SourcedDocument,
  traces: readonly TracedObjects[],
): Pick<ObjectIssue, 'line' | 'writtenAt'> {
  const shown = what === 'missing' ? steps.slice(0, -1) : steps;
  if (shown.length === 0) return {};
  const bare = content.replace(/\n$/, '');
  const objects = traces.find(({ documents: all }) => all.some((one) => one.path === path && one.content === bare));
  const places = objects === undefined ? [] : writtenFrom(objects, { path, content: bare }, shown);
  const [written] = places;
  const line = places.find(({ file }) => file === path)?.line;
  return {
    ...(line !== undefined && { line }),
    ...(written !== undefined && written.file !== path && { writtenAt: { file: written.file, line: written.line } }),
  };
}

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

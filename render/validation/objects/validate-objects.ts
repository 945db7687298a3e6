// What is rendered against the schemas of a version of Kubernetes: the front door of validation.

import type { Release } from '../../api/chart.ts';
import { tracedObjectsOf } from '../../api/explain.ts';
import type { RenderedOrder } from '../../api/order.ts';
import { checkArguments, either, filled, having, listOf, oneOf, optionsOf, text } from '../../core/arguments.ts';
import type { GoMap } from '../../go/value.ts';
import { member, readObjects, textMember } from '../../manifest/objects.ts';
import type { SourcedDocument } from '../../manifest/source.ts';
import { splitManifests } from '../../manifest/split.ts';
import { writtenFrom } from '../../provenance/impact/places.ts';
import type { TracedObjects } from '../../provenance/trace/explanation.ts';
import { createCapabilities } from '../../values/capabilities.ts';
import { createValidator, type ObjectFault, type Validator } from '../kubernetes/validate.ts';

/** What an unknown field is: an error, as to kubectl, or a warning, as to a server that Helm speaks with. */
export type FieldValidation = 'strict' | 'warn';

/** The options of `validateObjects`. */
export interface ValidationOptions {
  /** The version of Kubernetes, such as `1.31`. Default that of the rendered Order, else the one that the default Helm was built for. */
  readonly kubeVersion?: string | undefined;
  /** Whether an unknown field is an error or a warning. Default `strict`, as `kubectl --validate`. */
  readonly validate?: FieldValidation | undefined;
}

/** A fault of a rendered object. */
export interface ObjectIssue {
  /** An unknown field, a wrong type or value, a missing field; a kind that does not exist, is gone or will be. */
  readonly kind: ObjectFault['kind'];
  readonly severity: 'error' | 'warning';
  /** Such as `Deployment/web`, with the namespace in the middle where the object names one. */
  readonly object: string;
  /** The template file that gave it; empty where nothing tells it. */
  readonly source: string;
  /** The line (from 1) of that file which wrote the field, or included what did, where what is rendered was traced. */
  readonly line?: number | undefined;
  /** Where the field is written, if that is another file: the line of a named template. */
  readonly writtenAt?: { readonly file: string; readonly line: number } | undefined;
  /** The field, such as `spec.replicas`; empty for the whole object. */
  readonly path: string;
  /** In kubectl's words, such as `unknown field "spec.replcas"`. */
  readonly message: string;
  readonly hint: string;
  /** The version of Kubernetes whose schemas were used: of those at hand the nearest to the one that was asked for. */
  readonly kubeVersion: string;
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
 * Checks objects offline against the schemas of a version of Kubernetes, as its server does: unknown fields, wrong types,
 * missing fields, APIs that are gone; custom resources against the definitions among the same objects. Takes a text of
 * objects, or what renderRelease or renderOrder gave; traced (`trace: true`), each fault tells its template line.
 * Rejects with ARGUMENT_INVALID, with VALUES_INVALID for an invalid version, with MANIFEST_INVALID for what is not YAML.
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

function documentsOf(rendered: string | Release | RenderedOrder): SourcedDocument[] {
  if (typeof rendered === 'string') {
    return splitManifests(rendered).map((content) => {
      return { path: /^# Source: (.*\S)/m.exec(content.slice(0, 2000))?.[1] ?? '', content: `${content}\n` };
    });
  }
  if (!('packages' in rendered)) return [...rendered.crds, ...rendered.objects, ...rendered.hooks];
  return rendered.packages.flatMap(({ release: { crds, manifests, hooks } }) => [...crds, ...manifests, ...hooks]);
}

/** A fault, and the document that it is of. */
export interface DocumentIssue {
  readonly document: SourcedDocument;
  readonly issue: ObjectIssue;
}

/** How documents are checked. */
export interface DocumentValidation {
  readonly kubeVersion: string;
  readonly validate: FieldValidation;
  /** Whether only APIs that are gone or will be count. Default false. */
  readonly onlyApis?: boolean | undefined;
  /** Returns the traces in which a document that has a fault may be. */
  readonly traces: (document: SourcedDocument) => readonly TracedObjects[] | Promise<readonly TracedObjects[]>;
}

/** Returns the faults of documents, in their order. Rejects with MANIFEST_INVALID for what is not YAML. */
export async function documentIssues(
  given: readonly SourcedDocument[],
  { kubeVersion, validate, onlyApis = false, traces }: DocumentValidation,
): Promise<DocumentIssue[]> {
  const apis = onlyApis ? createValidator(kubeVersion) : undefined;
  const asked = apis === undefined ? given : given.filter((document) => mayGo(document, apis));
  const read = asked.map((document) => ({ document, objects: readObjects(document) }));
  const definitions = read.flatMap(({ objects }) => objects.filter(isDefinition));
  const validator = createValidator(kubeVersion, definitions);
  const issues: DocumentIssue[] = [];
  for (const { document, objects } of read) {
    for (const object of objects) {
      const faults = onlyApis ? validator.checkApi(object) : validator.check(object);
      for (const fault of faults) {
        const where = linesOf(fault, document, await traces(document));
        const isMild = fault.kind === 'deprecated' || (fault.kind === 'unknown' && validate === 'warn');
        const { kind, path, message, hint } = fault;
        const place = { object: nameOf(object), source: document.path, ...where, path };
        const severity = isMild ? 'warning' : 'error';
        issues.push({ document, issue: { kind, severity, ...place, message, hint, kubeVersion: validator.version } });
      }
    }
  }
  return issues;
}

/** Returns a fault as one line: the object, where it comes from, and what is wrong by which version. */
export function objectIssueText({ object, source, line, writtenAt, message, kubeVersion }: ObjectIssue): string {
  const written = writtenAt === undefined ? '' : `, written by ${writtenAt.file}:${writtenAt.line}`;
  const place = source === '' ? '' : ` of ${source}${line === undefined ? '' : `:${line}`}${written}`;
  return `${object}${place}: ${message} (Kubernetes ${kubeVersion})`;
}

// Most documents say in two lines what they are, and need not be read to know that their API stays.
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

function nameOf(object: GoMap): string {
  const metadata = member(object, 'metadata');
  const name = textMember(metadata, 'name') || textMember(metadata, 'generateName');
  return [textMember(object, 'kind'), textMember(metadata, 'namespace'), name].filter((word) => word !== '').join('/');
}

// What is missing has no line: that of where it belongs is reported.
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

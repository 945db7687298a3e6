// The one failure type that rendering throws, and the closed list of its codes.

import { isError } from '../go/realm.ts';

/**
 * Names what went wrong, for programs. The list is closed: every failure of `render/` carries one of these.
 *
 * - `ORDER_INVALID` – the Order does not have the required shape; `issues` lists every fault.
 * - `CHART_NOT_FOUND` – no source has the chart, or the path does not exist.
 * - `CHART_INVALID` – the chart's files cannot be read as a chart (Chart.yaml, values.yaml, archive, dependencies).
 * - `VALUES_INVALID` – values, a `--set` text, a patch, a release name or a schema refuse the input.
 * - `TEMPLATE_PARSE` – a template is not well-formed.
 * - `TEMPLATE_EXEC` – a template failed while it ran.
 * - `MANIFEST_INVALID` – a template's output is not the YAML of Kubernetes objects.
 * - `LIMIT_REACHED` – an input is nested too deep, or a rendering took more time, output or memory than its `limits` allow.
 * - `ARGUMENT_INVALID` – a function was called with an argument or an option that it does not take; `issues` lists each.
 */
export type RenderErrorCode =
  | 'ORDER_INVALID'
  | 'CHART_NOT_FOUND'
  | 'CHART_INVALID'
  | 'VALUES_INVALID'
  | 'TEMPLATE_PARSE'
  | 'TEMPLATE_EXEC'
  | 'MANIFEST_INVALID'
  | 'LIMIT_REACHED'
  | 'ARGUMENT_INVALID';

/** The place of a failure, as an editor counts. Messages that Helm words keep Helm's own numbers. */
export interface Place {
  /** A path: of a file as its reader named it, or within a chart with the chart's name in front. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in characters (UTF-16 units, as editors and language servers count). */
  readonly column?: number;
  /** Set where line and column are those of the text that the file rendered to, not of the file itself. */
  readonly isRendered?: true;
}

/** What a failure in Go's words may carry beside them. */
export interface FaultDetails {
  readonly cause?: unknown;
  /** As much as is known of where the fault lies. */
  readonly place?: Partial<Place> | undefined;
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** What is wrong, in Go's words, where the message has the line, too. */
  readonly problem?: string | undefined;
  /** What it is, where somebody above goes on by it: a number beyond its type, an escape that YAML does not know. */
  readonly kind?: 'range' | 'unknown-escape' | undefined;
}

/** One fault of a checked document: `path` is a JSON pointer-like path such as `spec.packages[0].chart.name`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** A note is worth knowing and asks for nothing. */
  readonly severity: 'error' | 'warning' | 'note';
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** Where the fault is in a file, where that is known. */
  readonly place?: Place | undefined;
  /**
   * Names the kind of issue for programs, where it has a name: `RANDOM_VALUE` for what each rendering gives otherwise,
   * `UNREAD_VALUE` for a value that no template reads, `SCHEMA_INVALID` for an object that is not what its schema says,
   * `API_DEPRECATED` for one of an API that is gone or will be.
   */
  readonly code?: 'RANDOM_VALUE' | 'UNREAD_VALUE' | 'SCHEMA_INVALID' | 'API_DEPRECATED' | undefined;
}

/** What a `RenderError` may carry beside its message. */
export interface RenderErrorDetails {
  readonly place?: Place | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly cause?: unknown;
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** The member of a package's chart selection that is at fault, such as `version` or `valuesPatch[1]`. */
  readonly member?: string | undefined;
}

/** The failure every function of `render/` throws. `message` is Helm's own text if Helm has one (without `Error: `). */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: RenderErrorCode;
  readonly place: Place | undefined;
  readonly issues: readonly Issue[];
  /** How to fix it, as one sentence. */
  readonly hint: string | undefined;
  /** The member of a package's chart selection that is at fault, such as `version`, where one is. */
  readonly member: string | undefined;

  constructor(code: RenderErrorCode, message: string, details: RenderErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.place = details.place;
    this.issues = details.issues ?? [];
    this.hint = details.hint;
    this.member = details.member;
  }

  /** @deprecated Use `hint`. */
  get mend(): string | undefined {
    return this.hint;
  }
}

/** Returns the message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown);
}

/** Returns the code that Node gave a failure, such as `ENOENT`; empty where there is none. */
export function codeOf(thrown: unknown): string {
  return isError(thrown) && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

const mark = Symbol.for('drydock.failure');

/**
 * Marks a class of errors, so that they are recognized where `instanceof` fails: in a lazily loaded part, another bundle or another
 * realm. `user` marks errors whose message is enough for a user of the command, without a stack trace.
 */
export function markFailures({ prototype }: { readonly prototype: Error }, kind: 'render' | 'user'): void {
  Object.defineProperty(prototype, mark, { value: kind });
}

function markOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && mark in error ? error[mark] : undefined;
}

/** Reports whether something thrown is a `RenderError`, of whichever copy of the class. */
export function isRenderError(error: unknown): error is RenderError {
  return markOf(error) === 'render';
}

/** Reports whether something thrown is of a class that was marked as the user's to fix. */
export function isUserError(error: unknown): error is Error {
  return markOf(error) === 'user';
}

markFailures(RenderError, 'render');

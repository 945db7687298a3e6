// The error type of rendering, and the closed list of its codes.

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

/** The place of a failure as an editor counts. Helm's messages keep Helm's own numbers. */
export interface Place {
  /** A path: of a file as its reader named it, or within a chart, starting with the chart's name. */
  readonly file: string;
  /** Line, from 1. */
  readonly line?: number;
  /** Column, from 1, in UTF-16 units, as in editors and the language server protocol. */
  readonly column?: number;
  /** Set if line and column refer to the rendered output of the file, not to the file itself. */
  readonly isRendered?: true;
}

/** Details of a failure in addition to Go's message. */
export interface FaultDetails {
  readonly cause?: unknown;
  /** What is known of the place. */
  readonly place?: Partial<Place> | undefined;
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** Go's message without the line. */
  readonly problem?: string | undefined;
  /** What kind of problem it is, where callers depend on it: a number out of range, an unknown escape. */
  readonly kind?: 'range' | 'unknown-escape' | undefined;
}

/** An issue of a validated document. `path` looks like `spec.packages[0].chart.name`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** A note is information that needs no action. */
  readonly severity: 'error' | 'warning' | 'note';
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** The place in a file, if known. */
  readonly place?: Place | undefined;
  /**
   * The kind of issue for programs, if it has one: `RANDOM_VALUE` for output that differs in each rendering, `UNREAD_VALUE` for a value
   * that no template reads, `SCHEMA_INVALID` for an object that violates its schema, `API_DEPRECATED` for an object of a removed or
   * deprecated API.
   */
  readonly code?: 'RANDOM_VALUE' | 'UNREAD_VALUE' | 'SCHEMA_INVALID' | 'API_DEPRECATED' | undefined;
}

/** Details of a `RenderError` in addition to its message. */
export interface RenderErrorDetails {
  readonly place?: Place | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly cause?: unknown;
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  /** The member of a package's chart selection at fault, such as `version` or `valuesPatch[1]`. */
  readonly member?: string | undefined;
}

/** The error that all functions of `render/` throw. `message` is Helm's message, if Helm has one (without `Error: `). */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: RenderErrorCode;
  readonly place: Place | undefined;
  readonly issues: readonly Issue[];
  /** How to fix it, as one sentence. */
  readonly hint: string | undefined;
  /** The member of a package's chart selection at fault, such as `version`, if any. */
  readonly member: string | undefined;
  /** Why it failed, as text; set with `--explain` only. */
  declare explanation?: string | undefined;

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

/** Returns the explanation of an error; empty if it has none. */
export function explanationOf(error: unknown): string {
  return (error instanceof RenderError && error.explanation) || '';
}

/** Returns the message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown);
}

/** Returns the code of a Node error, such as `ENOENT`; empty if there is none. */
export function codeOf(thrown: unknown): string {
  return isError(thrown) && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

const mark = Symbol.for('drydock.failure');

/**
 * Marks an error class, so that its instances are recognized where `instanceof` fails: in a lazily loaded module, another bundle or another
 * realm. `user` marks errors that the command prints without a stack trace.
 */
export function markFailures({ prototype }: { readonly prototype: Error }, kind: 'render' | 'user'): void {
  Object.defineProperty(prototype, mark, { value: kind });
}

function markOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && mark in error ? error[mark] : undefined;
}

/** Reports whether a value is a `RenderError`, of any copy of the class. */
export function isRenderError(error: unknown): error is RenderError {
  return markOf(error) === 'render';
}

/** Reports whether a value is an error of a class marked as a user error. */
export function isUserError(error: unknown): error is Error {
  return markOf(error) === 'user';
}

markFailures(RenderError, 'render');

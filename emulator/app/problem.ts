// Errors for callers: status, message, and the table from render codes to statuses.

import { isRenderError } from '../../render/core/errors.ts';
import { asLimit } from '../../render/core/limits.ts';
import { isError } from '../../render/go/realm.ts';
import type { PackageError, RenderError } from '../../render/index.ts';
import { RenderersBusy } from '../rendering/renderer.ts';
import type { Schema } from '../store/compile.ts';
import type { Json, JsonObject } from '../store/json.ts';
import type { HeaderTable, Reply } from './message.ts';

/** The schema of an error body. Render errors add fields after `url`. */
export const problemSchema: Schema = {
  title: 'Problem',
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'What is wrong, for people' },
    url: { type: 'string', description: 'Where the API is described' },
    code: { type: 'string', description: 'Of a render failure: its kind' },
    package: { type: 'string', description: 'Of a render failure: the release name of the package' },
    chart: { type: 'string' },
    template: { type: 'string' },
    line: { type: 'integer' },
    column: { type: 'integer' },
    cause: { type: 'string' },
    hint: { type: 'string', description: 'What to change' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          severity: { type: 'string' },
          hint: { type: 'string' },
        },
        additionalProperties: true,
      },
      description: 'Every fault of an order, each with its JSON path',
    },
  },
};

/** Details of a `Problem` in addition to status and message. */
export interface ProblemDetails {
  readonly headers?: HeaderTable;
  /** Omits `url` from the body, as the service does for a few responses. */
  readonly bare?: boolean;
  readonly fields?: JsonObject;
  /** Marks invalid input according to the route's rules: the log lists it as a violation. */
  readonly violation?: boolean;
}

/** Thrown when a call cannot be answered; it becomes the error body. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(status: number, message: string, details: ProblemDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export function unknownRoute(): Problem {
  return new Problem(404, 'Not Found', { bare: true });
}

export function missing(message: string): Problem {
  return new Problem(404, message);
}

export function invalid(message: string): Problem {
  return new Problem(422, message);
}

/** Creates the 422 of a request that violates the rules of its route; `fields` are added to its body. */
export function violation(message: string, fields: JsonObject = {}): Problem {
  return new Problem(422, message, { violation: true, fields });
}

/** The status for each render error code: the caller's order or chart is invalid; invalid arguments are ours. */
export const renderStatuses: { readonly [Code in RenderError['code']]: number } = {
  ORDER_INVALID: 422,
  CHART_NOT_FOUND: 422,
  CHART_INVALID: 422,
  VALUES_INVALID: 422,
  TEMPLATE_PARSE: 422,
  TEMPLATE_EXEC: 422,
  MANIFEST_INVALID: 422,
  ARGUMENT_INVALID: 500,
  LIMIT_REACHED: 422,
};

/** Returns the problem that a failure is for the caller; undefined for an error of the emulator itself. */
export function problemOf(failure: unknown): Problem | undefined {
  if (failure instanceof Problem) return failure;
  if (isRenderError(failure)) return renderProblem(failure);
  const limit = asLimit(failure);
  if (limit !== undefined) return renderProblem(limit);
  if (!(failure instanceof RenderersBusy)) return undefined;
  return new Problem(503, failure.message, { headers: { 'Retry-After': '1' } });
}

export function problemReply({ status, message, details }: Problem, siteUrl: string): Reply {
  const { headers = {}, bare, fields } = details;
  if (status >= 300 && status < 400) return { status, headers };
  return { status, headers, json: { message, ...(bare ? {} : { url: `${siteUrl}/api/swagger` }), ...fields } };
}

/** Creates the problem of a render error: package and chart, place, cause, issues and hint in addition to Helm's message. */
function renderProblem(failure: RenderError): Problem {
  const { code, message, place, cause, issues, hint } = failure;
  const { release, chart } = failure as Partial<PackageError>;
  const fields: Record<string, Json> = { code };
  if (release !== undefined) fields.package = release;
  if (chart !== undefined) fields.chart = chart;
  if (place) {
    fields.template = place.file;
    if (place.line !== undefined) fields.line = place.line;
    if (place.column !== undefined) fields.column = place.column;
  }
  if (isError(cause)) fields.cause = cause.message;
  if (issues.length > 0) fields.issues = JSON.parse(JSON.stringify(issues)) as Json;
  if (hint !== undefined) fields.hint = hint;
  return new Problem(renderStatuses[code], message, { fields });
}

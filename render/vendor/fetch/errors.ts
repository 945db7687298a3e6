// The error type of fetching, and the closed list of its codes.

/**
 * Names why a chart could not be brought, for programs. The list is closed.
 *
 * - `CHART_UNKNOWN` – the repository has no such chart.
 * - `VERSION_UNKNOWN` – the chart is there, in no version that is requested.
 * - `REPOSITORY_UNKNOWN` – there is no repository of that name, or nothing is at its address.
 * - `ACCESS_DENIED` – the server wants other credentials (401), or allows these nothing (403).
 * - `TOO_MANY_REQUESTS` – the server asks to come back later (429).
 * - `SERVER_FAILED` – the server failed (5xx), again and again.
 * - `UNREACHABLE` – the name is not known, or nobody answers, or the connection is cut again and again.
 * - `TIMED_OUT` – the server went silent.
 * - `TLS_FAILED` – the server's certificate is not trusted, or no encryption could be agreed on.
 * - `ANSWER_INVALID` – what came is no index, manifest or chart, or leads in circles.
 * - `DIGEST_DIFFERS` – what came differs from the digest in the lock, the index or the manifest.
 * - `TOO_LARGE` – what is announced is larger than any chart.
 * - `NOT_VERIFIED` – the provenance file is missing, or its signature is not good.
 * - `LOCK_FROZEN` – drydock.lock would have to change, and must not.
 * - `FILE_FAILED` – a file that was named cannot be read or written.
 */
export type VendorErrorCode =
  | 'CHART_UNKNOWN'
  | 'VERSION_UNKNOWN'
  | 'REPOSITORY_UNKNOWN'
  | 'ACCESS_DENIED'
  | 'TOO_MANY_REQUESTS'
  | 'SERVER_FAILED'
  | 'UNREACHABLE'
  | 'TIMED_OUT'
  | 'TLS_FAILED'
  | 'ANSWER_INVALID'
  | 'DIGEST_DIFFERS'
  | 'TOO_LARGE'
  | 'NOT_VERIFIED'
  | 'LOCK_FROZEN'
  | 'FILE_FAILED';

/** Details of a `VendorError` in addition to its message. */
export interface VendorErrorDetails {
  /** How to fix it, as one sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** Whether the same request may succeed a moment later. Default false. */
  readonly mayPass?: boolean | undefined;
  /** The delay that the server requests, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The errors of single charts, if several failed. */
  readonly failures?: readonly VendorError[] | undefined;
}

/** The error of all functions of `drydock/vendor` if charts cannot be downloaded. The message is one sentence. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  readonly hint: string | undefined;
  readonly mayPass: boolean;
  readonly retryAfter: number | undefined;
  readonly failures: readonly VendorError[];

  constructor(code: VendorErrorCode, message: string, details: VendorErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.mayPass = details.mayPass ?? false;
    this.retryAfter = details.retryAfter;
    this.failures = details.failures ?? [];
  }
}

// The error of fetching, the closed list of its codes, and the messages and hints for failed connections and unexpected statuses.

import { isError } from '../../go/realm.ts';
import { publicUrl } from '../lock/lock.ts';

/**
 * Why a chart could not be downloaded, for programs. The list is closed.
 *
 * - `CHART_UNKNOWN` – the repository has no such chart.
 * - `VERSION_UNKNOWN` – the chart has no requested version.
 * - `REPOSITORY_UNKNOWN` – there is no repository with that name, or nothing at its address.
 * - `ACCESS_DENIED` – the server requires valid credentials (401), or denies access (403).
 * - `TOO_MANY_REQUESTS` – the server limits the number of requests (429).
 * - `SERVER_FAILED` – the server failed (5xx), repeatedly.
 * - `UNREACHABLE` – the host cannot be resolved, does not respond, or closes the connection repeatedly.
 * - `TIMED_OUT` – the server stopped sending.
 * - `TLS_FAILED` – the server's certificate is not trusted, or no encryption could be negotiated.
 * - `ANSWER_INVALID` – the response is not an index, a manifest or a chart, or redirects too often.
 * - `DIGEST_DIFFERS` – the content does not have the digest in the lock file, the index or the manifest.
 * - `TOO_LARGE` – the announced size is larger than that of any chart.
 * - `NOT_VERIFIED` – the provenance file is missing, or its signature is not valid.
 * - `LOCK_FROZEN` – drydock.lock would have to change, and must not.
 * - `FILE_FAILED` – a given file cannot be read or written.
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

const cut = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_ABORTED',
]);
const silent = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const away = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);

export function connectionFailure(error: unknown, url: string): VendorError {
  if (error instanceof VendorError) return error;
  const { code, message } = deepest(error);
  const host = hostOf(url);
  const fail = (...[kind, text, hint, mayPass = true]: Wording): VendorError =>
    new VendorError(kind, `${publicUrl(url)}: ${text}`, { hint, mayPass, cause: error });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const hint = 'Check the address, and the network and proxy settings of this machine.';
    return fail('UNREACHABLE', `cannot resolve ${host}`, hint, code === 'EAI_AGAIN');
  }
  const refusal = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1];
  if (refusal === '407') return proxyDenied(url);
  if (refusal !== undefined)
    return fail('UNREACHABLE', `the proxy responds with ${refusal}`, 'Check HTTPS_PROXY, NO_PROXY and the proxy.');
  if (silent.has(code)) return fail('TIMED_OUT', `${host} went silent`, 'Try again, or give it longer (--timeout 5m).');
  if (away.has(code))
    return fail('UNREACHABLE', `no response from ${host}`, 'Check that the server is running and the port is right.');
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || /wrong version number|packet length too long/i.test(message)) {
    return fail(
      'TLS_FAILED',
      `${host} does not speak TLS`,
      'Give --plain-http for a registry without TLS, or write http://.',
      false,
    );
  }
  if (isTls(code)) {
    const hint =
      'Name the authority that signed it (--ca-file FILE), or pass --insecure-skip-tls-verify to accept any certificate.';
    return fail('TLS_FAILED', `the certificate of ${host} is not trusted: ${tlsReason(code, message)}`, hint, false);
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return fail('UNREACHABLE', `${host} sent fewer or more bytes than it announced`, 'Try again later.');
  }
  if (code.startsWith('HPE_'))
    return fail('ANSWER_INVALID', `${host} does not speak HTTP`, 'Check the address and its port.', false);
  if (cut.has(code) || /terminated|other side closed|socket hang up/i.test(message)) {
    return fail('UNREACHABLE', `${host} closed the connection`, 'Try again later.');
  }
  return fail('UNREACHABLE', `the request failed: ${message}${code === '' ? '' : ` (${code})`}`, undefined);
}

function proxyDenied(url: string): VendorError {
  return new VendorError('ACCESS_DENIED', `${publicUrl(url)}: the proxy requires valid credentials (407)`, {
    hint: 'Set the user and password in HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@proxy.example.com:3128.',
  });
}

type Wording = readonly [kind: VendorError['code'], text: string, hint: string | undefined, mayPass?: boolean];

function deepest(error: unknown): { readonly code: string; readonly message: string } {
  let found = { code: '', message: 'unknown error' };
  for (let at = error; isError(at); at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    const { code } = at as { readonly code?: unknown };
    found = { code: typeof code === 'string' ? code : found.code, message: at.message || found.message };
  }
  return found;
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|UNABLE_TO_|EPROTO|SELF_SIGNED|HOSTNAME_MISMATCH|CRL_/.test(code);
}

function tlsReason(code: string, message: string): string {
  const reasons: Readonly<Record<string, string>> = {
    DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
    SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known',
    UNABLE_TO_GET_ISSUER_CERT: 'its authority is not known',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known',
    CERT_HAS_EXPIRED: 'it has expired',
    CERT_NOT_YET_VALID: 'it is not valid yet',
    ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  };
  return reasons[code] ?? message.split('\n')[0] ?? code;
}

/** Returns the error for a response with an unexpected status; `what` is what was requested. */
export function statusFailure(status: number, url: string, what: string, retryAfter?: number): VendorError {
  const host = hostOf(url);
  const fail = (code: VendorErrorCode, text: string, details: VendorErrorDetails = {}): VendorError =>
    new VendorError(code, `${publicUrl(url)}: ${host} ${text}`, details);
  const login = `Log in to ${host} (helm registry login, helm repo add --username, or docker login) with an account that has access.`;
  if (status === 401) return fail('ACCESS_DENIED', `requires valid credentials for ${what} (401)`, { hint: login });
  if (status === 403) return fail('ACCESS_DENIED', `denies access to ${what} (403)`, { hint: login });
  if (status === 407) return proxyDenied(url);
  if (status === 404 || status === 410)
    return fail('REPOSITORY_UNKNOWN', `has no ${what} (${status})`, { hint: 'Correct the address of the repository.' });
  if (status === 429) {
    const hint = 'Wait, or log in: many servers allow more requests to users they know.';
    const details = { hint, mayPass: true, retryAfter };
    return fail('TOO_MANY_REQUESTS', 'received too many requests from this network (429)', details);
  }
  if (status >= 500 || status === 408 || status === 425) {
    const hint = 'Try again later. If it keeps failing, contact the administrator of the server.';
    return fail('SERVER_FAILED', `failed (${status})`, { hint, mayPass: true, retryAfter });
  }
  return fail('ANSWER_INVALID', `answered ${status} for ${what}`);
}

/** Returns the host and port of a URL for a message. */
export function hostOf(url: string): string {
  return /^[a-z][-+.a-z0-9]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? url;
}

const maxLength = 8192;

/** Returns an HTTP URL; `base` is for relative ones. Throws ANSWER_INVALID. */
export function parseUrl(text: string, base?: URL | string): URL {
  let url: URL | undefined;
  try {
    url = text.length > maxLength ? undefined : new URL(text, base);
  } catch {
    // Reported below.
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new VendorError('ANSWER_INVALID', `${JSON.stringify(publicUrl(text).slice(0, 200))} is not an HTTP address`, {
    hint: 'Correct the address, or the index that names it.',
  });
}

// The options of everything that downloads, and their validation rules.

import {
  callback,
  filled,
  flag,
  having,
  kind,
  listOf,
  type OptionChecks,
  optionsOf,
  wholeNumber,
} from '../../core/arguments.ts';

/** Progress of a run. */
export interface VendorEvent {
  readonly kind: 'resolved' | 'bytes' | 'brought';
  /** `name version`, or the name if no version is known yet. */
  readonly chart: string;
  readonly bytes?: number;
  readonly total?: number | undefined;
  readonly isCached?: boolean;
}

/** Options for downloading charts. */
export interface VendorOptions {
  /** The folder of archives, with drydock.lock beside it. Default `charts`. */
  readonly dir?: string | undefined;
  /** The base of relative paths. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Whether the lock file must not change. Default false. */
  readonly frozen?: boolean | undefined;
  /** What moves to the newest matching version: everything (true), or charts by name. Default nothing. */
  readonly update?: boolean | readonly string[] | undefined;
  /** Whether charts that nothing needs are removed from lock file and folder. Default false. */
  readonly prune?: boolean | undefined;
  /** Whether nothing is written. Default false. */
  readonly dryRun?: boolean | undefined;
  /** URLs of repositories by name, in addition to those known to Helm. Default none. */
  readonly repositories?: Readonly<Record<string, string>> | undefined;
  /** Whether the credentials of a repository are sent to all hosts in its index. Default false. */
  readonly passCredentials?: boolean | undefined;
  /** Whether OCI registries use plain HTTP. Default false. */
  readonly plainHttp?: boolean | undefined;
  /** Hosts of token services that receive the credentials of registries on other hosts. Default none. */
  readonly tokenHosts?: readonly string[] | undefined;
  /** The trusted certificate authorities, a PEM file. Default: those of the system. */
  readonly caFile?: string | undefined;
  /** The client certificate, a PEM file. */
  readonly certFile?: string | undefined;
  /** The key of `certFile`, a PEM file. */
  readonly keyFile?: string | undefined;
  /** Whether to skip certificate verification. Default false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** The keyring that must have signed every archive. Default: signatures are not verified. */
  readonly keyring?: string | undefined;
  /** Maximum time without data from a server, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Number of retries of temporary failures. Default 4. */
  readonly retries?: number | undefined;
  /** The environment: proxies, and locations of Helm's and Docker's files. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called with each step. */
  readonly onEvent?: ((event: VendorEvent) => void) | undefined;
  /** Called with each retry. */
  readonly onRetry?: ((line: string) => void) | undefined;
  /** Aborts the run; unfinished downloads are discarded. */
  readonly signal?: AbortSignal | undefined;
}

/** Reports whether a chart moves to the newest matching version. */
export function isMoving({ update }: VendorOptions, name: string): boolean {
  return update === true || (Array.isArray(update) && update.includes(name));
}

export const objectArgument = kind('an object', (value) => typeof value === 'object' && value !== null);
const names = listOf(filled);
const checks: OptionChecks<VendorOptions> = {
  dir: filled,
  cwd: filled,
  frozen: flag,
  update: (value, path) => (typeof value === 'boolean' ? [] : names(value, path)),
  prune: flag,
  dryRun: flag,
  repositories: objectArgument,
  passCredentials: flag,
  plainHttp: flag,
  tokenHosts: names,
  caFile: filled,
  certFile: filled,
  keyFile: filled,
  insecureSkipTlsVerify: flag,
  keyring: filled,
  timeout: wholeNumber(1, 3_600_000),
  retries: wholeNumber(0, 100),
  env: objectArgument,
  onEvent: callback,
  onRetry: callback,
  signal: having<AbortSignal>('an AbortSignal', { addEventListener: callback }),
};

export const vendorOptions = optionsOf<VendorOptions>(checks);

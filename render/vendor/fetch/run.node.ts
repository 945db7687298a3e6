// Sets up a run of fetching: the connections, Helm's files and the keyring.

import { resolve } from 'node:path';
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
import { type ChartDemand, demandOf, type VendorOrder } from './demand.node.ts';
import { helmHome } from './helm-home.node.ts';
import { createVerifier } from './provenance.node.ts';
import { Sources } from './sources.node.ts';
import { Transport } from './transport.node.ts';
import { gathered, type VendorEvent, type VendorReport, vendorCharts } from './vendor.node.ts';

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

const anyObject = kind('an object', (value) => typeof value === 'object' && value !== null);
const names = listOf(filled);
const checks: OptionChecks<VendorOptions> = {
  dir: filled,
  cwd: filled,
  frozen: flag,
  update: (value, path) => (typeof value === 'boolean' ? [] : names(value, path)),
  prune: flag,
  dryRun: flag,
  repositories: anyObject,
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
  env: anyObject,
  onEvent: callback,
  onRetry: callback,
  signal: having<AbortSignal>('an AbortSignal', { addEventListener: callback }),
};

/** The validation rules of `VendorOptions`. */
export const vendorOptions = optionsOf<VendorOptions>(checks);

/** Downloads the charts that Orders need. Rejects with VendorError. */
export async function vendorNamed(orders: readonly VendorOrder[], options: VendorOptions): Promise<VendorReport> {
  const { requests: asks, failures } = await demandOf(orders);
  if (failures.length > 0) throw gathered(failures);
  return vendorRequests(asks, options);
}

/** Downloads the requested charts. Rejects with VendorError. */
export async function vendorRequests(requests: readonly ChartDemand[], options: VendorOptions): Promise<VendorReport> {
  const env = options.env ?? process.env;
  const cwd = resolve(options.cwd ?? '.');
  const home = helmHome(env);
  const transport = transportFor(options);
  try {
    return await vendorCharts(requests, {
      folder: resolve(cwd, options.dir ?? 'charts'),
      sources: new Sources({
        transport,
        home,
        env,
        plainHttp: options.plainHttp === true,
        tokenHosts: options.tokenHosts ?? [],
        repositories: new Map(Object.entries(options.repositories ?? {})),
        passCredentials: options.passCredentials === true,
      }),
      isFrozen: options.frozen === true,
      update: options.update ?? false,
      prune: options.prune === true,
      isDry: options.dryRun === true,
      verify: options.keyring === undefined ? undefined : await createVerifier(resolve(cwd, options.keyring)),
      onEvent: options.onEvent ?? (() => {}),
    });
  } finally {
    await transport.close();
  }
}

/** Returns connections for a run. */
export function transportFor({
  caFile,
  certFile,
  keyFile,
  insecureSkipTlsVerify,
  ...options
}: VendorOptions): Transport {
  return new Transport({
    env: options.env ?? process.env,
    tls: { caFile, certFile, keyFile, insecureSkipTlsVerify },
    timeout: options.timeout ?? 60_000,
    retries: options.retries ?? 4,
    onRetry: options.onRetry,
    signal: options.signal,
  });
}

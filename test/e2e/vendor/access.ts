// Tests tokens, credential helpers, proxies and Helm 4's cache, each compared with real Helm.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { type CommandResult, pull, run, type Sandbox } from './helm.ts';
import { orderOf } from './ranges.ts';
import { makeCertificate, startRegistry, startStatic, user } from './servers.ts';
import { type NamedProxy, refreshToken, startProxy, startTokens } from './tokens.ts';

/** The sources: the data of a registry with `charts/web`, and a repository; and the command line of drydock. */
export interface Access {
  readonly folder: string;
  readonly repository: string;
  readonly command: readonly [string, string];
}

const registryName = 'registry.test.example';
const repositoryName = 'charts.test.example';
const tokenName = 'token.test.example';

/** Credentials, and whether the registry accepts them. */
interface Login {
  readonly title: string;
  /** Helm's registry configuration, and Docker's. */
  readonly helm?: object;
  readonly docker?: object;
  /** The output of `docker-credential-test`; undefined for a helper without credentials. */
  readonly answer?: object;
  readonly isValid: boolean;
}

const auth = { auth: Buffer.from(`${user.name}:${user.password}`).toString('base64') };
const answer = { Username: user.name, Secret: user.password };

const logins: readonly Login[] = [
  { title: "a password in Helm's configuration", helm: { auths: { [registryName]: auth } }, isValid: true },
  { title: "a password in Docker's configuration", docker: { auths: { [registryName]: auth } }, isValid: true },
  {
    title: "a credential helper of Helm's configuration",
    helm: { credHelpers: { [registryName]: 'test' } },
    answer,
    isValid: true,
  },
  { title: "a credential store of Helm's configuration", helm: { credsStore: 'test' }, answer, isValid: true },
  {
    title: "a credential helper of Docker's configuration",
    docker: { credHelpers: { [registryName]: 'test' } },
    answer,
    isValid: true,
  },
  {
    title: 'a credential helper that returns a refresh token',
    docker: { credsStore: 'test' },
    answer: { Username: '<token>', Secret: refreshToken },
    isValid: true,
  },
  { title: 'a credential helper without credentials', docker: { credsStore: 'test' }, isValid: false },
  { title: 'no credentials', isValid: false },
  {
    title: 'a wrong password',
    helm: { auths: { [registryName]: { auth: Buffer.from(`${user.name}:wrong`).toString('base64') } } },
    isValid: false,
  },
];

/** Tests each login, and that no secret is printed. */
export async function checkAccess(sandbox: Sandbox, access: Access): Promise<void> {
  const certificate = await makeCertificate(
    access.folder,
    [registryName, tokenName].map((name) => `DNS:${name}`),
  );
  const tokens = await startTokens(certificate);
  const registry = await startRegistry(access.folder, { realm: `https://${tokenName}/token`, certificate });
  const repository = await startStatic(access.repository);
  const proxy = await startProxy(
    new Map([
      [`${registryName}:443`, registry.host],
      [`${tokenName}:443`, tokens.host],
      [`${repositoryName}:80`, repository.host],
    ]),
  );
  try {
    const { helm } = await helmBinary(3);
    for (const login of logins)
      await checkLogin(sandbox, { ...access, helm, login, proxy, caFile: certificate.caFile });
    check(
      `all requests went through the proxy: ${[...new Set(proxy.targets)].join(', ')}`,
      proxy.targets.length > logins.length * 2,
    );
    await checkProxies(sandbox, { ...access, helm, proxy });
    await checkCache(sandbox, { ...access, source: `http://${repository.host}`, requests: repository.authorizations });
  } finally {
    await Promise.all([tokens, registry, repository, proxy].map((server) => server.stop()));
  }
}

type LoginTest = Access & { readonly helm: string; readonly proxy: NamedProxy };

async function checkLogin(
  sandbox: Sandbox,
  { login, proxy, helm, command, caFile }: LoginTest & { readonly login: Login; readonly caFile: string },
): Promise<void> {
  // Helm ignores the proxy with --ca-file, so the CA is passed as one of the system.
  const known = sandboxWith(sandbox, login, { HTTPS_PROXY: `http://${proxy.host}`, SSL_CERT_FILE: caFile });
  const source = `oci://${registryName}/charts`;
  const theirs = await pull(known, helm, [`${source}/web`, '--version', '^1.0.0']);
  const ours = await vendor(known, command, { source, flags: ['--token-host', tokenName] });
  const isSame = ours.digest === theirs?.digest && (theirs !== undefined) === login.isValid;
  if (!isSame) console.error(theirs, ours);
  check(
    `a registry with tokens, ${login.title}: ${login.isValid ? 'the same archive as Helm' : firstLine(ours)}`,
    isSame,
  );
  const strict = await vendor(known, command, { source });
  check('  a token service on another host gets no credentials unless it is allowed', strict.digest === undefined);
  const output = `${ours.stdout}${ours.stderr}${ours.lock}`;
  check(
    '  no secret is printed or written',
    ![user.password, auth.auth, refreshToken].some((text) => output.includes(text)),
  );
}

function firstLine({ stderr }: CommandResult): string {
  return stderr.split('\n')[0] ?? '';
}

/** Returns a sandbox with the configuration of a login, and its credential helper on the PATH. */
function sandboxWith(sandbox: Sandbox, login: Login, env: Sandbox['env']): Sandbox {
  const home = mkdtempSync(join(sandbox.root, 'home-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const helper = join(bin, 'docker-credential-test');
  const lines =
    login.answer === undefined ? ['echo credentials not found', 'exit 1'] : [`echo '${JSON.stringify(login.answer)}'`];
  writeFileSync(helper, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(helper, 0o755);
  if (login.helm !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(login.helm));
  if (login.docker !== undefined) {
    mkdirSync(join(home, '.docker'));
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify(login.docker));
  }
  return {
    root: sandbox.root,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, HELM_REGISTRY_CONFIG: join(home, 'config.json'), ...env },
  };
}

interface Vendored extends CommandResult {
  readonly digest: string | undefined;
  /** The text of the lock; empty for none. */
  readonly lock: string;
}

async function vendor(
  sandbox: Sandbox,
  command: readonly [string, string],
  { source, flags = [] }: { readonly source: string; readonly flags?: readonly string[] },
): Promise<Vendored> {
  const cwd = mkdtempSync(join(sandbox.root, 'project-'));
  writeFileSync(join(cwd, 'order.json'), orderOf([{ name: 'web', version: '^1.0.0', source }]));
  const ran = await run(sandbox, [...command, 'vendor', 'order.json', ...flags], cwd);
  const file = join(cwd, 'drydock.lock');
  const lock = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { ...ran, lock, digest: lock === '' ? undefined : parseLock(lock).charts[0]?.digest };
}

async function checkProxies(sandbox: Sandbox, { helm, proxy, command }: LoginTest): Promise<void> {
  const source = `http://${repositoryName}`;
  const at = proxy.host;
  const cases: readonly (readonly [title: string, env: Sandbox['env'], isFound: boolean])[] = [
    ['HTTP_PROXY', { HTTP_PROXY: `http://${at}` }, true],
    ['http_proxy without a scheme', { http_proxy: at }, true],
    ['a proxy that requires a password', { HTTP_PROXY: `http://ada:lovelace@${at}` }, true],
    ['a proxy that rejects the password', { HTTP_PROXY: `http://ada:wrong@${at}` }, false],
    ['HTTPS_PROXY only', { HTTPS_PROXY: `http://${at}` }, false],
    ['NO_PROXY', { HTTP_PROXY: `http://${at}`, NO_PROXY: 'other.example, .test.example' }, false],
    ['NO_PROXY of another host', { HTTP_PROXY: `http://${at}`, NO_PROXY: '.charts.test.example,10.0.0.0/8' }, true],
  ];
  for (const [title, env, isFound] of cases) {
    const known = sandboxWith(sandbox, { title, isValid: true }, env);
    const before = proxy.targets.length;
    const theirs = await pull(known, helm, ['web', '--repo', source, '--version', '^1.0.0']);
    const between = proxy.targets.length;
    const ours = await vendor(known, command, { source, flags: ['--timeout', '5s'] });
    const usesProxy = [between - before, proxy.targets.length - between].map((count) => count > 0);
    const isSame =
      ours.digest === theirs?.digest && (theirs !== undefined) === isFound && usesProxy[0] === usesProxy[1];
    if (!isSame) console.error(theirs, ours, usesProxy);
    check(`${title}: ${isFound ? 'the same archive as Helm' : firstLine(ours)}`, isSame);
    check('  the password of the proxy is not printed', !`${ours.stdout}${ours.stderr}`.includes('lovelace'));
  }
}

/** Tests that charts in Helm 4's content cache are not downloaded. */
async function checkCache(
  sandbox: Sandbox,
  { command, source, requests }: Access & { readonly source: string; readonly requests: readonly string[] },
): Promise<void> {
  const { helm } = await helmBinary(4);
  const known = sandboxWith(sandbox, { title: 'cache', isValid: true }, {});
  const words = ['web', '--repo', source, '--version', '^1.0.0'];
  const pulled = await pull(known, helm, words);
  // `helm pull` does not fill the cache, but `helm template` does.
  await run(known, [helm, 'template', 'r', ...words]);
  const before = requests.length;
  const ours = await vendor(known, command, { source });
  const isCached = ours.digest !== undefined && ours.digest === pulled?.digest && requests.length - before === 1;
  if (!isCached) console.error(pulled, ours, requests.length - before);
  check("a chart in Helm 4's cache is not downloaded; only the index is requested", isCached);
}

// Tests tokens, credential helpers, proxies and Helm 4's cache, each compared with real Helm.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { type CommandResult, pull, run, type Sandbox } from './helm.ts';
import { orderOf } from './ranges.ts';
import { makeCertificate, type StaticServer, startRegistry, startStatic, user } from './servers.ts';
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

const authOf = (password: string): object => ({
  auths: { [registryName]: { auth: Buffer.from(`${user.name}:${password}`).toString('base64') } },
});
const answer = { Username: user.name, Secret: user.password };

const logins: readonly Login[] = [
  { title: "a password in Helm's configuration", helm: authOf(user.password), isValid: true },
  { title: "a password in Docker's configuration", docker: authOf(user.password), isValid: true },
  { title: 'a credential helper', helm: { credHelpers: { [registryName]: 'test' } }, answer, isValid: true },
  {
    title: 'a credential store that returns a refresh token',
    docker: { credsStore: 'test' },
    answer: { Username: '<token>', Secret: refreshToken },
    isValid: true,
  },
  { title: 'a credential store without credentials', docker: { credsStore: 'test' }, isValid: false },
  { title: 'no credentials', isValid: false },
  { title: 'a wrong password', helm: authOf('wrong'), isValid: false },
];

/** Tests each login, and that no secret is printed. */
export async function checkAccess(sandbox: Sandbox, access: Access): Promise<void> {
  const names = [registryName, tokenName].map((name) => `DNS:${name}`);
  const certificate = await makeCertificate(access.folder, names);
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
    // Helm ignores the proxy with --ca-file, so the CA is passed as one of the system.
    const env = { HTTPS_PROXY: `http://${proxy.host}`, SSL_CERT_FILE: certificate.caFile };
    for (const login of logins) await checkLogin(sandboxWith(sandbox, env, login), access, login);
    check('all requests went through the proxy', proxy.targets.length > logins.length * 2);
    await checkProxies(sandbox, access, proxy);
    await checkCache(sandboxWith(sandbox, {}), access, repository);
  } finally {
    await Promise.all([tokens, registry, repository, proxy].map((server) => server.stop()));
  }
}

async function checkLogin(sandbox: Sandbox, { command }: Access, { title, isValid }: Login): Promise<void> {
  const source = `oci://${registryName}/charts`;
  const theirs = await pull(sandbox, (await helmBinary(3)).helm, [`${source}/web`, '--version', '^1.0.0']);
  const ours = await vendor(sandbox, command, [source, '--token-host', tokenName]);
  const isSame = ours.digest === theirs && (theirs !== undefined) === isValid;
  if (!isSame) console.error(theirs, ours);
  check(`a registry with tokens, ${title}: ${isValid ? 'the same archive as Helm' : firstLine(ours)}`, isSame);
  const strict = await vendor(sandbox, command, [source]);
  check('  a token service on another host gets no credentials unless it is allowed', strict.digest === undefined);
  const output = `${ours.stdout}${ours.stderr}${ours.lock}`;
  const secrets = [user.password, Buffer.from(`${user.name}:${user.password}`).toString('base64'), refreshToken];
  check('  no secret is printed or written', !secrets.some((text) => output.includes(text)));
}

function firstLine({ stderr }: CommandResult): string {
  return stderr.split('\n')[0] ?? '';
}

/** Returns a sandbox with the configuration of a login, and its credential helper on the PATH. */
function sandboxWith({ root }: Sandbox, env: Sandbox['env'], login?: Login): Sandbox {
  const home = mkdtempSync(join(root, 'home-'));
  const lines =
    login?.answer === undefined ? 'echo credentials not found\nexit 1' : `echo '${JSON.stringify(login.answer)}'`;
  writeFileSync(join(home, 'docker-credential-test'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const config = join(home, 'config.json');
  if (login?.helm !== undefined) writeFileSync(config, JSON.stringify(login.helm));
  mkdirSync(join(home, '.docker'));
  if (login?.docker !== undefined) writeFileSync(join(home, '.docker/config.json'), JSON.stringify(login.docker));
  return { root, env: { PATH: `${home}:${process.env.PATH}`, HOME: home, HELM_REGISTRY_CONFIG: config, ...env } };
}

interface Vendored extends CommandResult {
  readonly digest: string | undefined;
  /** The text of the lock; empty for none. */
  readonly lock: string;
}

/** Downloads the chart web of a source with drydock. */
async function vendor(
  sandbox: Sandbox,
  command: Access['command'],
  [source, ...flags]: readonly [source: string, ...flags: string[]],
): Promise<Vendored> {
  const cwd = mkdtempSync(join(sandbox.root, 'project-'));
  writeFileSync(join(cwd, 'order.json'), orderOf([{ name: 'web', version: '^1.0.0', source }]));
  const ran = await run(sandbox, [...command, 'vendor', 'order.json', ...flags], cwd);
  const file = join(cwd, 'drydock.lock');
  const lock = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { ...ran, lock, digest: lock === '' ? undefined : parseLock(lock).charts[0]?.digest };
}

/** Tests the variables of proxies; test/render/vendor/fetch/proxy.test.ts has the rules of NO_PROXY. */
async function checkProxies(sandbox: Sandbox, { command }: Access, { host, targets }: NamedProxy): Promise<void> {
  const source = `http://${repositoryName}`;
  const cases: readonly (readonly [title: string, env: Sandbox['env'], isFound: boolean])[] = [
    ['http_proxy without a scheme', { http_proxy: host }, true],
    ['a proxy that requires a password', { HTTP_PROXY: `http://ada:lovelace@${host}` }, true],
    ['a proxy that rejects the password', { HTTP_PROXY: `http://ada:wrong@${host}` }, false],
    ['NO_PROXY', { HTTP_PROXY: `http://${host}`, NO_PROXY: 'other.example, .test.example' }, false],
  ];
  for (const [title, env, isFound] of cases) {
    const known = sandboxWith(sandbox, env);
    const words = ['web', '--repo', source, '--version', '^1.0.0'];
    const before = targets.length;
    const theirs = await pull(known, (await helmBinary(3)).helm, words);
    const between = targets.length;
    const ours = await vendor(known, command, [source, '--timeout', '5s']);
    const usesProxy = [between - before, targets.length - between].map((count) => count > 0);
    const isSame = ours.digest === theirs && (theirs !== undefined) === isFound && usesProxy[0] === usesProxy[1];
    if (!isSame) console.error(theirs, ours, usesProxy);
    check(`${title}: ${isFound ? 'the same archive as Helm' : firstLine(ours)}`, isSame);
    check('  the password of the proxy is not printed', !`${ours.stdout}${ours.stderr}`.includes('lovelace'));
  }
}

/** Tests that charts in Helm 4's content cache are not downloaded. */
async function checkCache(
  sandbox: Sandbox,
  { command }: Access,
  { host, authorizations: requests }: StaticServer,
): Promise<void> {
  const { helm } = await helmBinary(4);
  const words = ['web', '--repo', `http://${host}`, '--version', '^1.0.0'];
  const pulled = await pull(sandbox, helm, words);
  // `helm pull` does not fill the cache, but `helm template` does.
  await run(sandbox, [helm, 'template', 'r', ...words]);
  const before = requests.length;
  const ours = await vendor(sandbox, command, [`http://${host}`]);
  const isCached = ours.digest !== undefined && ours.digest === pulled && requests.length - before === 1;
  if (!isCached) console.error(pulled, ours, requests.length - before);
  check("a chart in Helm 4's cache is not downloaded; only the index is requested", isCached);
}

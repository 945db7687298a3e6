// Tokens, credential helpers, proxies and Helm 4's cache, each compared with real Helm.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { pull, type Ran, run, type Seat } from './helm.ts';
import { orderOf } from './ranges.ts';
import { makeCertificate, startRegistry, startStatic, user } from './servers.ts';
import { type NamedProxy, refreshToken, startProxy, startTokens } from './tokens.ts';

/** What is downloaded: the data of a registry with `charts/web`, a repository, and the arguments of drydock. */
export interface Access {
  readonly folder: string;
  readonly repository: string;
  readonly command: readonly [string, string];
}

const registryName = 'registry.proof.example';
const repositoryName = 'charts.proof.example';
const tokenName = 'token.proof.example';

/** A way to authenticate, and whether it succeeds. */
interface Way {
  readonly title: string;
  /** Helm's registry configuration, and Docker's. */
  readonly helm?: object;
  readonly docker?: object;
  /** The output of `docker-credential-proof`; undefined for a helper without credentials. */
  readonly answer?: object;
  readonly isKnown: boolean;
}

const auth = { auth: Buffer.from(`${user.name}:${user.password}`).toString('base64') };
const answer = { Username: user.name, Secret: user.password };

const ways: readonly Way[] = [
  { title: "a password in Helm's configuration", helm: { auths: { [registryName]: auth } }, isKnown: true },
  { title: "a password in Docker's configuration", docker: { auths: { [registryName]: auth } }, isKnown: true },
  {
    title: "a credential helper of Helm's configuration",
    helm: { credHelpers: { [registryName]: 'proof' } },
    answer,
    isKnown: true,
  },
  { title: "a credential store of Helm's configuration", helm: { credsStore: 'proof' }, answer, isKnown: true },
  {
    title: "a credential helper of Docker's configuration",
    docker: { credHelpers: { [registryName]: 'proof' } },
    answer,
    isKnown: true,
  },
  {
    title: 'a helper that gives a token to be exchanged',
    docker: { credsStore: 'proof' },
    answer: { Username: '<token>', Secret: refreshToken },
    isKnown: true,
  },
  { title: 'a helper that has nothing', docker: { credsStore: 'proof' }, isKnown: false },
  { title: 'nobody we are known by', isKnown: false },
  {
    title: 'a wrong password',
    helm: { auths: { [registryName]: { auth: Buffer.from(`${user.name}:wrong`).toString('base64') } } },
    isKnown: false,
  },
];

/** Tests each way, and that no secret is printed. */
export async function checkAccess(seat: Seat, access: Access): Promise<void> {
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
    for (const way of ways) await checkWay(seat, { ...access, helm, way, proxy, caFile: certificate.caFile });
    check(
      `each request went through the proxy: ${[...new Set(proxy.targets)].join(', ')}`,
      proxy.targets.length > ways.length * 2,
    );
    await checkProxies(seat, { ...access, helm, proxy });
    await checkCache(seat, { ...access, source: `http://${repository.host}`, requests: repository.authorizations });
  } finally {
    await Promise.all([tokens, registry, repository, proxy].map((server) => server.stop()));
  }
}

type Journey = Access & { readonly helm: string; readonly proxy: NamedProxy };

async function checkWay(
  seat: Seat,
  { way, proxy, helm, command, caFile }: Journey & { readonly way: Way; readonly caFile: string },
): Promise<void> {
  // With --ca-file Helm uses no proxy; the machine's certificate authorities are the alternative.
  const known = knownBy(seat, way, { HTTPS_PROXY: `http://${proxy.host}`, SSL_CERT_FILE: caFile });
  const source = `oci://${registryName}/charts`;
  const theirs = await pull(known, helm, [`${source}/web`, '--version', '^1.0.0']);
  const ours = await vendor(known, command, { source, flags: ['--token-host', tokenName] });
  const isAsHelm = ours.digest === theirs?.digest && (theirs !== undefined) === way.isKnown;
  if (!isAsHelm) console.error(theirs, ours);
  check(`a registry with tokens, ${way.title}: ${way.isKnown ? 'as Helm brings it' : firstLine(ours)}`, isAsHelm);
  const strict = await vendor(known, command, { source });
  check('  and the token service, on another host, gets nothing unless it is allowed', strict.digest === undefined);
  const output = `${ours.stdout}${ours.stderr}${ours.lock}`;
  check(
    '  and no secret is shown or written',
    ![user.password, auth.auth, refreshToken].some((text) => output.includes(text)),
  );
}

function firstLine({ stderr }: Ran): string {
  return stderr.split('\n')[0] ?? '';
}

/** Returns an environment with the configurations, and the helper on its PATH. */
function knownBy(seat: Seat, way: Way, env: Seat['env']): Seat {
  const home = mkdtempSync(join(seat.root, 'home-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const helper = join(bin, 'docker-credential-proof');
  const lines =
    way.answer === undefined ? ['echo credentials not found', 'exit 1'] : [`echo '${JSON.stringify(way.answer)}'`];
  writeFileSync(helper, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(helper, 0o755);
  if (way.helm !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(way.helm));
  if (way.docker !== undefined) {
    mkdirSync(join(home, '.docker'));
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify(way.docker));
  }
  return {
    root: seat.root,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, HELM_REGISTRY_CONFIG: join(home, 'config.json'), ...env },
  };
}

interface Vendored extends Ran {
  readonly digest: string | undefined;
  /** The text of the lock; empty for none. */
  readonly lock: string;
}

async function vendor(
  seat: Seat,
  command: readonly [string, string],
  { source, flags = [] }: { readonly source: string; readonly flags?: readonly string[] },
): Promise<Vendored> {
  const cwd = mkdtempSync(join(seat.root, 'project-'));
  writeFileSync(join(cwd, 'order.json'), orderOf([{ name: 'web', version: '^1.0.0', source }]));
  const ran = await run(seat, [...command, 'vendor', 'order.json', ...flags], cwd);
  const file = join(cwd, 'drydock.lock');
  const lock = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { ...ran, lock, digest: lock === '' ? undefined : parseLock(lock).charts[0]?.digest };
}

async function checkProxies(seat: Seat, { helm, proxy, command }: Journey): Promise<void> {
  const source = `http://${repositoryName}`;
  const at = proxy.host;
  const cases: readonly (readonly [title: string, env: Seat['env'], isBrought: boolean])[] = [
    ['HTTP_PROXY', { HTTP_PROXY: `http://${at}` }, true],
    ['http_proxy without a scheme', { http_proxy: at }, true],
    ['a proxy that wants a password', { HTTP_PROXY: `http://ada:lovelace@${at}` }, true],
    ['a proxy that refuses the password', { HTTP_PROXY: `http://ada:wrong@${at}` }, false],
    ['HTTPS_PROXY alone', { HTTPS_PROXY: `http://${at}` }, false],
    ['NO_PROXY', { HTTP_PROXY: `http://${at}`, NO_PROXY: 'other.example, .proof.example' }, false],
    ['NO_PROXY of another host', { HTTP_PROXY: `http://${at}`, NO_PROXY: '.charts.proof.example,10.0.0.0/8' }, true],
  ];
  for (const [title, env, isBrought] of cases) {
    const known = knownBy(seat, { title, isKnown: true }, env);
    const before = proxy.targets.length;
    const theirs = await pull(known, helm, ['web', '--repo', source, '--version', '^1.0.0']);
    const between = proxy.targets.length;
    const ours = await vendor(known, command, { source, flags: ['--timeout', '5s'] });
    const isSeen = [between - before, proxy.targets.length - between].map((count) => count > 0);
    const isAsHelm = ours.digest === theirs?.digest && (theirs !== undefined) === isBrought && isSeen[0] === isSeen[1];
    if (!isAsHelm) console.error(theirs, ours, isSeen);
    check(`${title}: ${isBrought ? 'as Helm brings it' : firstLine(ours)}`, isAsHelm);
    check('  and no password of a proxy is shown', !`${ours.stdout}${ours.stderr}`.includes('lovelace'));
  }
}

/** Charts that Helm 4 has rendered are in its content cache. */
async function checkCache(
  seat: Seat,
  { command, source, requests }: Access & { readonly source: string; readonly requests: readonly string[] },
): Promise<void> {
  const { helm } = await helmBinary(4);
  const known = knownBy(seat, { title: 'cache', isKnown: true }, {});
  const words = ['web', '--repo', source, '--version', '^1.0.0'];
  const pulled = await pull(known, helm, words);
  // `helm pull` keeps nothing; renderings do.
  await run(known, [helm, 'template', 'r', ...words]);
  const before = requests.length;
  const ours = await vendor(known, command, { source });
  const isCached = ours.digest !== undefined && ours.digest === pulled?.digest && requests.length - before === 1;
  if (!isCached) console.error(pulled, ours, requests.length - before);
  check('what Helm 4 has rendered comes from its cache: the index is asked for, and no archive', isCached);
}

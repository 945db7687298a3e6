// Tests that `drydock vendor` downloads the same archives as real Helm, from real servers and with failures. `npm run test:e2e -- vendor`
// Uses Debian's docker-registry with and without TLS and passwords, an index written by `helm repo index`, charts of `helm package` and
// `helm push` of Helm 3 and 4, failing downloads, kills at random moments, and rendering in a namespace without a network.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { digestBytes } from '../../../render/chart/digest.ts';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { wordList } from '../../support/dice.ts';
import { checkAccess } from './access.ts';
import { checkFaults } from './faults.ts';
import { type CommandResult, createSandbox, pull, run } from './helm.ts';
import { compareRanges, generatedRanges, orderOf } from './ranges.ts';
import { sendFile, startRegistry, startStatic, user } from './servers.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const root = temporaryFolder('drydock-vendor-');
const repository = join(root, 'repository');
const helm3 = (await helmBinary(3)).helm;
const helm4 = (await helmBinary(4)).helm;
const kills = 25;
const sandbox = createSandbox(root);
const command = await buildProduct();

async function helm(binary: string, ...argv: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await run(sandbox, [binary, ...argv]);
  if (exitCode !== 0) throw new Error(stderr);
}

function drydock(cwd: string, ...argv: readonly string[]): Promise<CommandResult> {
  return run(sandbox, [process.execPath, command, ...argv], cwd);
}

/** Runs a command without a network, which must succeed. Returns its output. */
async function offline(cwd: string, words: string): Promise<string> {
  const flag = process.getuid?.() === 0 ? '-n' : '-rn';
  const argv = ['unshare', flag, process.execPath, command, ...words.split(' ')] as const;
  const { exitCode, stdout, stderr } = await run(sandbox, argv, cwd);
  if (exitCode !== 0) console.error(stderr);
  check(`${words} without a network`, exitCode === 0);
  return stdout;
}

const versions = wordList`0.9.0 1.0.0 1.2.3 1.2.10 1.10.0 2.0.0-alpha.1 2.0.0-rc.2 2.0.0 2.1.0+build.7 3.0.0-0`;
const charts = ['web', 'crds-and-hooks', 'umbrella', 'schema', 'values-and-text', 'values-as-json'];
const ranges = generatedRanges(versions, 100);

/** Packs charts with real Helm, some as dependencies of others, and writes the index. */
async function makeCharts(): Promise<void> {
  for (const name of charts)
    cpSync(join(project, 'fixtures/charts', name), join(root, 'sources', name), { recursive: true });
  for (const [index, version] of versions.entries())
    await helm(index % 2 === 0 ? helm3 : helm4, 'package', 'sources/web', '--version', version, '-d', repository);
  for (const name of charts.slice(1)) await helm(helm3, 'package', `sources/${name}`, '-d', repository);
  await helm(helm3, 'repo', 'index', repository);
}

function projectWith(order: string): string {
  const cwd = mkdtempSync(join(root, 'project-'));
  writeFileSync(join(cwd, 'order.json'), order);
  return cwd;
}

function lockIn(cwd: string): ReturnType<typeof parseLock>['charts'] {
  return parseLock(readFileSync(join(cwd, 'drydock.lock'), 'utf8')).charts;
}

/** Downloads several versions of web and the other charts of a source into a new project. Returns its folder and the output. */
async function vendorAll(
  source: string,
  flags: readonly string[],
): Promise<{ readonly cwd: string; readonly output: string }> {
  const requested = ['', '^1.0.0', '~1.2', '1.2.3', '>=2.0.0-0', '2.1.0+build.7'];
  const packages = [
    ...requested.map((version) => ({ name: 'web', version, source })),
    ...charts.slice(1).map((name) => ({ name, version: '', source })),
  ];
  const cwd = projectWith(orderOf(packages));
  const { exitCode, stdout, stderr } = await drydock(cwd, 'vendor', 'order.json', ...flags);
  if (exitCode !== 0) console.error(stderr);
  check(`one command downloads ${packages.length} charts of ${source}`, exitCode === 0);
  return { cwd, output: `${stdout}${stderr}${readFileSync(join(cwd, 'drydock.lock'), 'utf8')}` };
}

/** Tests that generated ranges resolve as with real Helm. */
async function checkRanges(source: string): Promise<void> {
  const { found, differing } = await compareRanges(sandbox, helm3, { source, ranges });
  for (const line of differing) console.error(`    ${line}`);
  check(
    `${ranges.length} ranges of ${source} resolve as with Helm, ${found} of them to a version`,
    differing.length === 0 && found > ranges.length / 4,
  );
}

/** Tests a repository whose index real Helm wrote, and all outputs of the Order without a network. */
async function checkRepository(): Promise<void> {
  const server = await startStatic(repository);
  const source = `http://${server.host}`;
  try {
    const { cwd } = await vendorAll(source, []);
    for (const { name, asked, digest } of lockIn(cwd)) {
      const pulled = await pull(sandbox, helm3, [
        name,
        '--repo',
        source,
        ...(asked === '' ? [] : ['--version', asked]),
      ]);
      check(`${name} ${asked} has the same digest as with helm pull`, pulled === digest);
    }
    const again = await drydock(cwd, 'vendor', 'order.json', '--frozen');
    check('a second run changes nothing', again.exitCode === 0 && /is as it was/.test(again.stdout));
    await checkRanges(source);
    await server.stop();
    await checkOffline(cwd);
  } finally {
    await server.stop();
  }
}

async function checkOffline(cwd: string): Promise<void> {
  for (const output of ['resources', 'pkgmgr3', 'yaml']) await offline(cwd, `render order.json --output ${output}`);
  for (const words of ['snapshot order.json --update', 'vendor order.json --check']) await offline(cwd, words);
  const rendered = await offline(cwd, 'render order.json --seed s');
  await offline(cwd, 'bundle order.json -o one.tgz');
  const empty = mkdtempSync(join(root, 'empty-'));
  renameSync(join(cwd, 'one.tgz'), join(empty, 'order.tgz'));
  const bundled = await offline(empty, 'render order.tgz --seed s');
  check('the bundle renders to the same bytes in an empty folder', bundled === rendered && bundled.length > 1000);
}

/** Tests registries with charts pushed by Helm 3 and 4: plain, with TLS and a password, and with tokens. */
async function checkRegistries(): Promise<void> {
  const folder = mkdtempSync(join(root, 'registry-'));
  const digests = new Map<string, string>();
  const plain = await startRegistry(folder, 'none');
  try {
    const source = `oci://${plain.host}/charts`;
    const files = readdirSync(repository).filter((file) => file.endsWith('.tgz'));
    for (const [index, file] of files.entries())
      await helm(index % 2 === 0 ? helm3 : helm4, 'push', join(repository, file), source, '--plain-http');
    const { cwd } = await vendorAll(source, ['--plain-http']);
    for (const { name, asked, digest } of lockIn(cwd)) {
      const words = [`${source}/${name}`, ...(asked === '' ? [] : ['--version', asked]), '--plain-http'];
      const pulled = await pull(sandbox, name === 'web' ? helm3 : helm4, words);
      check(`${name} ${asked} has the same digest as with helm pull`, pulled === digest);
      digests.set(`${name} ${asked}`, digest);
    }
    await checkRanges(source);
  } finally {
    await plain.stop();
  }
  await checkSecure(folder, digests);
  await checkAccess(sandbox, { folder, repository, command: [process.execPath, command] });
}

// Helm uses plain HTTP for loopback addresses, so this serves the same data and compares the digests with those of the plain registry.
async function checkSecure(folder: string, digests: ReadonlyMap<string, string>): Promise<void> {
  const title = 'a registry with TLS and a password';
  const registry = await startRegistry(folder, 'password');
  const source = `oci://${registry.host}/charts`;
  const flags = ['--ca-file', registry.caFile];
  try {
    const unknown = projectWith(orderOf([{ name: 'web', version: '1.0.0', source }]));
    const untrusted = await drydock(unknown, 'vendor', 'order.json');
    const isReported = untrusted.exitCode === 1 && /certificate/.test(untrusted.stderr);
    check(`an unknown certificate authority is reported: ${untrusted.stderr.split('\n')[0]}`, isReported);
    await helm(helm3, 'registry', 'login', registry.host, '-u', user.name, '-p', user.password, ...flags);
    const { cwd, output } = await vendorAll(source, flags);
    const isSame = lockIn(cwd).every(({ name, asked, digest }) => digests.get(`${name} ${asked}`) === digest);
    check(`${title}: the same digests`, isSame);
    const secret = Buffer.from(`${user.name}:${user.password}`).toString('base64');
    check(`${title}: no password is printed or written`, !output.includes(user.password) && !output.includes(secret));
  } finally {
    await registry.stop();
  }
}

/** Tests that a run killed at any moment leaves no incomplete archive in the lock file, and that the next run succeeds. */
async function checkKills(): Promise<void> {
  const server = await startStatic(repository);
  // Slow, so that there are kills in every step.
  server.fault = (request, response, file) => {
    setTimeout(() => sendFile(request, response, file), 15);
  };
  const source = `http://${server.host}`;
  const requested = ['0.9.0', '1.0.0', '1.2.3', '1.10.0', '2.0.0'];
  const order = orderOf(requested.map((version) => ({ name: 'web', version, source })));
  try {
    const start = Date.now();
    await drydock(projectWith(order), 'vendor', 'order.json');
    const duration = Date.now() - start;
    let early = 0;
    for (let kill = 0; kill < kills; kill++) {
      const cwd = projectWith(order);
      const timeout = Math.round((duration * (kill + 0.5)) / kills);
      const options = {
        cwd,
        env: sandbox.env,
        extendEnv: false,
        reject: false,
        killSignal: 'SIGKILL',
        timeout,
      } as const;
      await execa(process.execPath, [command, 'vendor', 'order.json'], options);
      if (!existsSync(join(cwd, 'drydock.lock'))) early++;
      else
        for (const { archive, digest } of lockIn(cwd))
          if (digestBytes(readFileSync(join(cwd, 'charts', archive))) !== digest)
            throw new Error(`${archive} is incomplete`);
      if (kill % 5 !== 0) continue;
      const next = await drydock(cwd, 'vendor', 'order.json');
      if (next.exitCode !== 0) throw new Error(next.stderr);
      const left = readdirSync(join(cwd, 'charts')).filter((name) => name.startsWith('.') && name !== '.incoming');
      if (left.length > 0 || lockIn(cwd).length !== requested.length)
        throw new Error(`the run after a kill leaves ${left.join(', ')} behind`);
    }
    console.log(
      `ok  all archives are complete after ${kills} kills within ${duration} ms, ${early} before the lock file`,
    );
  } finally {
    await server.stop();
  }
}

mkdirSync(repository);
await makeCharts();
await checkRepository();
await checkRegistries();
await checkFaults(root, { folder: repository, name: 'web', version: '1.10.0' });
await checkKills();

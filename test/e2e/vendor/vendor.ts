// Tests that `drydock vendor` downloads the same archives as real Helm, from real servers and with failures. `npm run test:e2e -- vendor`
// Uses Debian's docker-registry with and without TLS and passwords, an index written by `helm repo index`, charts of `helm package` and
// `helm push` of Helm 3 and 4, failing downloads, kills at random moments, and rendering in a namespace without a network.

import { spawn } from 'node:child_process';
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
import { build } from 'esbuild';
import { archiveDigest } from '../../../render/vendor/lock/bundle.ts';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { bundleOptions } from '../../../scripts/build/build.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { wordList } from '../../support/dice.ts';
import { checkAccess } from './access.ts';
import { checkFaults } from './faults.ts';
import { type CommandResult, createSandbox, pull, run } from './helm.ts';
import { compareRanges, generatedRanges, orderOf } from './ranges.ts';
import { sendFile, startRegistry, startStatic, user } from './servers.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const root = temporaryFolder('drydock-vendor-');
const helm3 = (await helmBinary(3)).helm;
const helm4 = (await helmBinary(4)).helm;
const [kills, ranges] = [25, 100];
const sandbox = createSandbox(root);
const helm = (binary: string, ...argv: readonly string[]): Promise<CommandResult> => run(sandbox, [binary, ...argv]);

const command = await bundleCommand();

/** Bundles the command as in the package. Returns its path. */
async function bundleCommand(): Promise<string> {
  const folder = join(project, 'node_modules/.cache/drydock/vendor-test');
  await build({
    ...bundleOptions,
    entryPoints: { drydock: 'emulator/cli/main.node.ts' },
    outdir: folder,
    format: 'esm',
    splitting: true,
    external: ['jiti/static', 'msw', 'msw/*'],
  });
  return join(folder, 'drydock.js');
}

async function drydock(cwd: string, argv: readonly string[], offline = false): Promise<CommandResult> {
  const words = [process.execPath, command, ...argv];
  const [program = '', ...rest] = offline ? ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', ...words] : words;
  return run(sandbox, [program, ...rest], cwd);
}

const versions = wordList`0.9.0 1.0.0 1.2.3 1.2.10 1.10.0 2.0.0-alpha.1 2.0.0-rc.2 2.0.0 2.1.0+build.7 3.0.0-0`;
const names = ['web', 'crds-and-hooks', 'umbrella', 'library-user', 'schema', 'values-and-text', 'values-as-json'];

/** Packs charts with real Helm, some as dependencies of others, and writes the index. Returns the names. */
async function makeCharts(): Promise<readonly string[]> {
  const folder = join(root, 'repository');
  mkdirSync(folder);
  for (const name of names)
    cpSync(join(project, 'fixtures/charts', name), join(root, 'sources', name), { recursive: true });
  for (const [index, version] of versions.entries()) {
    const { exitCode, stderr } = await helm(
      index % 2 === 0 ? helm3 : helm4,
      'package',
      'sources/web',
      '--version',
      version,
      '-d',
      folder,
    );
    if (exitCode !== 0) throw new Error(stderr);
  }
  for (const name of names.slice(1)) await helm(helm3, 'package', `sources/${name}`, '-d', folder);
  await helm(helm3, 'repo', 'index', folder);
  const packed = new Set(readdirSync(folder).map((file) => file.replace(/-\d.*$/, '')));
  return names.filter((name) => packed.has(name));
}

function projectWith(order: string): string {
  const cwd = mkdtempSync(join(root, 'project-'));
  writeFileSync(join(cwd, 'order.json'), order);
  return cwd;
}

function lockIn(cwd: string): ReturnType<typeof parseLock>['charts'] {
  return parseLock(readFileSync(join(cwd, 'drydock.lock'), 'utf8')).charts;
}

/** Tests that one command downloads everything, that Helm pulls the same digests, and that all outputs work without a network. */
async function checkRepository(charts: readonly string[]): Promise<void> {
  const server = await startStatic(join(root, 'repository'));
  const source = `http://${server.host}`;
  try {
    const cwd = projectWith(orderOf(charts.map((name) => ({ name, version: '', source }))));
    const first = await drydock(cwd, ['vendor', 'order.json']);
    if (first.exitCode !== 0) console.error(first.stderr);
    check(
      `one command downloads ${charts.length} charts of a repository whose index real Helm wrote`,
      first.exitCode === 0,
    );
    for (const { name, version, digest } of lockIn(cwd)) {
      const pulled = await pull(sandbox, helm3, [name, '--repo', source]);
      check(`${name} ${version} has the same digest as with helm pull`, pulled?.digest === digest);
    }
    const again = await drydock(cwd, ['vendor', 'order.json', '--frozen']);
    check('a second run changes nothing', again.exitCode === 0 && /is as it was/.test(again.stdout));
    await checkRanges(source);
    await server.stop();
    await checkOffline(cwd, charts);
  } finally {
    await server.stop();
  }
}

async function checkOffline(cwd: string, charts: readonly string[]): Promise<void> {
  const offline = (...argv: readonly string[]): Promise<CommandResult> => drydock(cwd, argv, true);
  for (const output of ['manifest', 'resources', 'pkgmgr3', 'yaml']) {
    const { exitCode, stdout, stderr } = await offline('render', 'order.json', '--output', output);
    if (exitCode !== 0) console.error(stderr);
    check(`render --output ${output} without a network`, exitCode === 0 && stdout.length > 1000);
  }
  for (const words of ['snapshot order.json --update', 'snapshot order.json', 'vendor order.json --check']) {
    const { exitCode, stderr } = await offline(...words.split(' '));
    if (exitCode !== 0) console.error(stderr);
    check(`${words} without a network`, exitCode === 0);
  }
  const pin = await offline('pin', 'order.json');
  writeFileSync(join(cwd, 'pinned.json'), pin.stdout);
  const plain = await offline('render', 'order.json', '--seed', 's');
  const pinned = await offline('render', 'pinned.json', '--seed', 's');
  check(
    'a pinned Order renders to the same bytes',
    pin.exitCode === 0 && pinned.exitCode === 0 && pinned.stdout === plain.stdout,
  );
  for (const file of ['one.tgz', 'two.tgz']) await offline('bundle', 'pinned.json', '-o', file);
  const [one, two] = ['one.tgz', 'two.tgz'].map((file) => readFileSync(join(cwd, file))) as [Buffer, Buffer];
  check(`bundling ${charts.length} charts again produces the same bytes`, one.equals(two));
  const empty = mkdtempSync(join(root, 'empty-'));
  renameSync(join(cwd, 'one.tgz'), join(empty, 'order.tgz'));
  const bundled = await drydock(empty, ['render', 'order.tgz', '--seed', 's'], true);
  check(
    'the bundle renders to the same bytes in an empty folder without a network',
    bundled.stdout === plain.stdout && bundled.exitCode === 0,
  );
}

/** Tests that generated ranges resolve as with real Helm. */
async function checkRanges(source: string): Promise<void> {
  const generated = generatedRanges('web', versions, ranges);
  const subject = { name: 'web', source, versions };
  const { compared, found, differing } = await compareRanges(sandbox, helm3, {
    subject,
    ranges: generated,
    samples: 5,
  });
  for (const line of differing) console.error(`    ${line}`);
  check(
    `${compared} generated ranges of ${source.replace(/:\d+/, '')} resolve as with Helm, ${found} of them to a version`,
    differing.length === 0 && found > ranges / 4,
  );
}

/** Tests registries with charts pushed by Helm 3 and 4: plain, and with TLS and a password. */
async function checkRegistries(charts: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(root, 'registry-'));
  const digests = new Map<string, string>();
  const plain = await startRegistry(folder, 'none');
  try {
    const source = `oci://${plain.host}/charts`;
    const files = readdirSync(join(root, 'repository')).filter((file) => file.endsWith('.tgz'));
    for (const [index, file] of files.entries()) {
      const binary = index % 2 === 0 ? helm3 : helm4;
      const pushed = await helm(binary, 'push', join(root, 'repository', file), source, '--plain-http');
      if (pushed.exitCode !== 0) throw new Error(pushed.stderr);
    }
    const { cwd } = await vendorAll({ title: 'a plain registry', source, charts, flags: ['--plain-http'] });
    for (const { name, asked, digest } of lockIn(cwd)) {
      const words = [`${source}/${name}`, ...(asked === '' ? [] : ['--version', asked]), '--plain-http'];
      const pulled = await pull(sandbox, name === 'web' ? helm3 : helm4, words);
      if (pulled?.digest !== digest) throw new Error(`${name} ${asked}: Helm pulls ${pulled?.digest}`);
      digests.set(`${name} ${asked}`, digest);
    }
    check('a plain registry: the digests are those of helm pull of Helm 3 and 4', digests.size > 6);
    await checkRanges(source);
  } finally {
    await plain.stop();
  }
  await checkSecure(folder, charts, digests);
  await checkAccess(sandbox, { folder, repository: join(root, 'repository'), command: [process.execPath, command] });
}

/** A registry whose charts are all requested. */
interface RegistryTest {
  readonly title: string;
  readonly source: string;
  readonly charts: readonly string[];
  readonly flags: readonly string[];
}

async function vendorAll({
  title,
  source,
  charts,
  flags,
}: RegistryTest): Promise<CommandResult & { readonly cwd: string }> {
  const requests = ['', '^1.0.0', '~1.2', '1.2.3', '>=2.0.0-0', '2.1.0+build.7'].map((version) => ({
    name: 'web',
    version,
    source,
  }));
  const others = charts.slice(1).map((name) => ({ name, version: '', source }));
  const cwd = projectWith(orderOf([...requests, ...others]));
  const ran = await drydock(cwd, ['vendor', 'order.json', ...flags]);
  if (ran.exitCode !== 0) console.error(ran.stderr);
  check(`${title}: ${requests.length + others.length} charts are downloaded`, ran.exitCode === 0);
  check(
    `${title}: the Order renders without a network`,
    (await drydock(cwd, ['render', 'order.json'], true)).exitCode === 0,
  );
  return { ...ran, cwd };
}

// Helm uses plain HTTP for loopback addresses, so this serves the same data and compares the digests with those of the plain registry.
async function checkSecure(
  folder: string,
  charts: readonly string[],
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  const title = 'a registry with TLS and a password';
  const registry = await startRegistry(folder, 'password');
  const source = `oci://${registry.host}/charts`;
  const flags = ['--ca-file', registry.caFile];
  try {
    const anonymous = projectWith(orderOf([{ name: 'web', version: '1.0.0', source }]));
    const denied = await drydock(anonymous, ['vendor', 'order.json', ...flags]);
    check(
      `${title} rejects requests without credentials: ${denied.stderr.split('\n')[0]}`,
      denied.exitCode === 1 && /\(401\)/.test(denied.stderr),
    );
    const untrusted = await drydock(anonymous, ['vendor', 'order.json']);
    check(
      `an unknown certificate authority is reported: ${untrusted.stderr.split('\n')[0]}`,
      untrusted.exitCode === 1 && /certificate/.test(untrusted.stderr),
    );
    const login = await helm(helm3, 'registry', 'login', registry.host, '-u', user.name, '-p', user.password, ...flags);
    if (login.exitCode !== 0) throw new Error(login.stderr);
    const { cwd, stdout, stderr } = await vendorAll({ title, source, charts, flags });
    check(
      `${title}: the same digests`,
      lockIn(cwd).every(({ name, asked, digest }) => digests.get(`${name} ${asked}`) === digest),
    );
    const output = `${stdout}${stderr}${readFileSync(join(cwd, 'drydock.lock'), 'utf8')}`;
    const secret = Buffer.from(`${user.name}:${user.password}`).toString('base64');
    check(`${title}: no password is printed or written`, !output.includes(user.password) && !output.includes(secret));
  } finally {
    await registry.stop();
  }
}

/** Tests that a run killed at any moment leaves no incomplete archive in the lock file, and that the next run succeeds. */
async function checkKills(): Promise<void> {
  const server = await startStatic(join(root, 'repository'));
  // Slow, so that there are kills in every step.
  server.fault = (request, response, file) => {
    setTimeout(() => sendFile(request, response, file), 15);
  };
  const source = `http://${server.host}`;
  const order = orderOf(
    ['0.9.0', '1.0.0', '1.2.3', '1.10.0', '2.0.0'].map((version) => ({ name: 'web', version, source })),
  );
  try {
    const start = Date.now();
    await drydock(projectWith(order), ['vendor', 'order.json']);
    const duration = Date.now() - start;
    let early = 0;
    for (let kill = 0; kill < kills; kill++) {
      const cwd = projectWith(order);
      await killAfter(cwd, Math.round((duration * (kill + 0.5)) / kills));
      if (!existsSync(join(cwd, 'drydock.lock'))) early++;
      else
        for (const { archive, digest } of lockIn(cwd))
          if (archiveDigest(readFileSync(join(cwd, 'charts', archive))) !== digest)
            throw new Error(`${archive} is incomplete`);
      if (kill % 5 !== 0) continue;
      const next = await drydock(cwd, ['vendor', 'order.json']);
      if (next.exitCode !== 0) throw new Error(next.stderr);
      const left = readdirSync(join(cwd, 'charts')).filter((name) => name.startsWith('.') && name !== '.incoming');
      if (left.length > 0 || lockIn(cwd).length !== 5)
        throw new Error(`the run after a kill leaves ${left.join(', ')} behind`);
    }
    check(
      `after ${kills} kills within ${duration} ms, ${early} of them before the lock file was written, all archives are complete and the next run succeeds`,
      true,
    );
  } finally {
    await server.stop();
  }
}

function killAfter(cwd: string, milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => {
    const options = { cwd, env: sandbox.env as NodeJS.ProcessEnv, stdio: 'ignore', killSignal: 'SIGKILL' } as const;
    spawn(process.execPath, [command, 'vendor', 'order.json'], { ...options, timeout: milliseconds }).once(
      'exit',
      resolve,
    );
  });
}

const charts = await makeCharts();
await checkRepository(charts);
await checkRegistries(charts);
await checkFaults(root, { folder: join(root, 'repository'), name: 'web', version: '1.10.0' });
await checkKills();

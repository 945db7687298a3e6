// Tests that `drydock vendor` fetches what real Helm fetches, from real servers, with failures. `npm run test:e2e -- vendor`
// Debian's docker-registry, plain and with TLS and passwords, an index by `helm repo index`, charts by `helm package` and `helm push` of
// Helm 3 and 4, failures on the way, kills at any moment, and rendering in a namespace without a network.

import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parseLock } from '../../../render/vendor/lock/lock.ts';
import { archiveDigest } from '../../../render/vendor/lock/locked.ts';
import { bundleOptions } from '../../../scripts/build/build.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { checkAccess } from './access.ts';
import { checkFaults } from './faults.ts';
import { pull, type Ran, run, seatIn } from './helm.ts';
import { compareRanges, generatedRanges, orderOf } from './ranges.ts';
import { answer, startRegistry, startStatic, user } from './servers.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'drydock-vendor-proof-'));
const helm3 = (await helmBinary(3)).helm;
const helm4 = (await helmBinary(4)).helm;
const kills = Number(process.env.DRYDOCK_KILLS ?? 25);
const ranges = Number(process.env.DRYDOCK_RANGES ?? 100);
const seat = seatIn(root);
const helm = (binary: string, ...argv: readonly string[]): Promise<Ran> => run(seat, [binary, ...argv]);

/** The command, bundled as in the package. */
async function bundleCommand(): Promise<string> {
  const folder = join(project, 'node_modules/.cache/drydock/vendor-proof');
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

async function drydock(command: string, cwd: string, argv: readonly string[], offline = false): Promise<Ran> {
  const words = [process.execPath, command, ...argv];
  const [program = '', ...rest] = offline ? ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', ...words] : words;
  return run(seat, [program, ...rest], cwd);
}

const versions = [
  '0.9.0',
  '1.0.0',
  '1.2.3',
  '1.2.10',
  '1.10.0',
  '2.0.0-alpha.1',
  '2.0.0-rc.2',
  '2.0.0',
  '2.1.0+build.7',
  '3.0.0-0',
];
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

/** One command downloads everything; Helm pulls archives with the same digests; all outputs are created without a network. */
async function checkRepository(command: string, charts: readonly string[]): Promise<void> {
  const server = await startStatic(join(root, 'repository'));
  const source = `http://${server.host}`;
  try {
    const cwd = projectWith(orderOf(charts.map((name) => ({ name, version: '', source }))));
    const first = await drydock(command, cwd, ['vendor', 'order.json']);
    if (first.exitCode !== 0) console.error(first.stderr);
    check(`one command brings ${charts.length} charts of an index that real Helm wrote`, first.exitCode === 0);
    for (const { name, version, digest } of lockIn(cwd)) {
      const pulled = await pull(seat, helm3, [name, '--repo', source]);
      check(`${name} ${version}: the digest of \`helm pull\``, pulled?.digest === digest);
    }
    const again = await drydock(command, cwd, ['vendor', 'order.json', '--frozen']);
    check('a second run changes nothing', again.exitCode === 0 && /is as it was/.test(again.stdout));
    await checkRanges(source);
    await server.stop();
    await checkOffline(command, cwd, charts);
  } finally {
    await server.stop();
  }
}

async function checkOffline(command: string, cwd: string, charts: readonly string[]): Promise<void> {
  const fails = await drydock(command, cwd, ['render', 'order.json'], true);
  if (fails.exitCode !== 0) console.error(fails.stderr);
  for (const output of ['manifest', 'resources', 'pkgmgr3', 'yaml']) {
    const { exitCode, stdout } = await drydock(command, cwd, ['render', 'order.json', '--output', output], true);
    check(`render --output ${output} without a network`, exitCode === 0 && stdout.length > 1000);
  }
  const recorded = await drydock(command, cwd, ['snapshot', 'order.json', '--update'], true);
  if (recorded.exitCode !== 0) console.error(recorded.stderr);
  check('snapshot --update without a network', recorded.exitCode === 0);
  check('snapshot without a network', (await drydock(command, cwd, ['snapshot', 'order.json'], true)).exitCode === 0);
  check(
    'vendor --check without a network',
    (await drydock(command, cwd, ['vendor', 'order.json', '--check'], true)).exitCode === 0,
  );
  const sealed = await drydock(command, cwd, ['seal', 'order.json'], true);
  writeFileSync(join(cwd, 'sealed.json'), sealed.stdout);
  const [plain, pinned] = [
    await drydock(command, cwd, ['render', 'order.json', '--seed', 's'], true),
    await drydock(command, cwd, ['render', 'sealed.json', '--seed', 's'], true),
  ];
  check(
    'a sealed Order renders the same',
    sealed.exitCode === 0 && pinned.exitCode === 0 && pinned.stdout === plain.stdout,
  );
  for (const file of ['one.tgz', 'two.tgz']) await drydock(command, cwd, ['bundle', 'sealed.json', '-o', file], true);
  const [one, two] = ['one.tgz', 'two.tgz'].map((file) => readFileSync(join(cwd, file))) as [Buffer, Buffer];
  const empty = mkdtempSync(join(root, 'empty-'));
  renameSync(join(cwd, 'one.tgz'), join(empty, 'order.tgz'));
  const bundled = await drydock(command, empty, ['render', 'order.tgz', '--seed', 's'], true);
  check(`a bundle of ${charts.length} charts has the same bytes twice`, one.equals(two));
  check(
    'and renders the same in an empty folder without a network',
    bundled.stdout === plain.stdout && bundled.exitCode === 0,
  );
}

/** Every generated range resolves as in real Helm. */
async function checkRanges(source: string): Promise<void> {
  const generated = generatedRanges('web', versions, ranges);
  const subject = { name: 'web', source, versions };
  const { compared, found, differing } = await compareRanges(seat, helm3, { subject, ranges: generated, samples: 5 });
  for (const line of differing) console.error(`    ${line}`);
  check(
    `${compared} generated ranges of ${source.replace(/:\d+/, '')} resolve as Helm resolves them, ${found} of them to a chart`,
    differing.length === 0 && found > ranges / 4,
  );
}

/** Registries: charts pushed by Helm 3 and 4, plain, and with TLS and a password. */
async function checkRegistries(command: string, charts: readonly string[]): Promise<void> {
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
    const { cwd } = await bringAll(command, { title: 'a plain registry', source, charts, flags: ['--plain-http'] });
    for (const { name, asked, digest } of lockIn(cwd)) {
      const words = [`${source}/${name}`, ...(asked === '' ? [] : ['--version', asked]), '--plain-http'];
      const pulled = await pull(seat, name === 'web' ? helm3 : helm4, words);
      if (pulled?.digest !== digest) throw new Error(`${name} ${asked}: Helm pulls ${pulled?.digest}`);
      digests.set(`${name} ${asked}`, digest);
    }
    check('a plain registry: each has the digest of `helm pull` of Helm 3 or 4', digests.size > 6);
    await checkRanges(source);
  } finally {
    await plain.stop();
  }
  await checkSecure(command, { folder, charts, digests });
  await checkAccess(seat, { folder, repository: join(root, 'repository'), command: [process.execPath, command] });
}

/** The output of a run over everything in a registry. */
interface Bringing {
  readonly title: string;
  readonly source: string;
  readonly charts: readonly string[];
  readonly flags: readonly string[];
}

async function bringAll(
  command: string,
  { title, source, charts, flags }: Bringing,
): Promise<Ran & { readonly cwd: string }> {
  const requests = ['', '^1.0.0', '~1.2', '1.2.3', '>=2.0.0-0', '2.1.0+build.7'].map((version) => ({
    name: 'web',
    version,
    source,
  }));
  const others = charts.slice(1).map((name) => ({ name, version: '', source }));
  const cwd = projectWith(orderOf([...requests, ...others]));
  const ran = await drydock(command, cwd, ['vendor', 'order.json', ...flags]);
  if (ran.exitCode !== 0) console.error(ran.stderr);
  check(`${title}: ${requests.length + others.length} charts are brought`, ran.exitCode === 0);
  check(
    `${title}: all of it renders without a network`,
    (await drydock(command, cwd, ['render', 'order.json'], true)).exitCode === 0,
  );
  return { ...ran, cwd };
}

// Helm treats everything on the loopback as plain HTTP, so the same data is served again and compared with what it pulled.
async function checkSecure(
  command: string,
  {
    folder,
    charts,
    digests,
  }: { readonly folder: string; readonly charts: readonly string[]; readonly digests: ReadonlyMap<string, string> },
): Promise<void> {
  const title = 'a registry with TLS and a password';
  const registry = await startRegistry(folder, 'password');
  const source = `oci://${registry.host}/charts`;
  const flags = ['--ca-file', registry.caFile];
  try {
    const strange = projectWith(orderOf([{ name: 'web', version: '1.0.0', source }]));
    const denied = await drydock(command, strange, ['vendor', 'order.json', ...flags]);
    check(
      `${title} refuses strangers: ${denied.stderr.split('\n')[0]}`,
      denied.exitCode === 1 && /\(401\)/.test(denied.stderr),
    );
    const untrusted = await drydock(command, strange, ['vendor', 'order.json']);
    check(
      `an unknown authority is reported: ${untrusted.stderr.split('\n')[0]}`,
      untrusted.exitCode === 1 && /certificate/.test(untrusted.stderr),
    );
    const login = await helm(helm3, 'registry', 'login', registry.host, '-u', user.name, '-p', user.password, ...flags);
    if (login.exitCode !== 0) throw new Error(login.stderr);
    const { cwd, stdout, stderr } = await bringAll(command, { title, source, charts, flags });
    check(
      `${title}: the same digests`,
      lockIn(cwd).every(({ name, asked, digest }) => digests.get(`${name} ${asked}`) === digest),
    );
    const output = `${stdout}${stderr}${readFileSync(join(cwd, 'drydock.lock'), 'utf8')}`;
    const secret = Buffer.from(`${user.name}:${user.password}`).toString('base64');
    check(`${title}: no password is shown or written`, !output.includes(user.password) && !output.includes(secret));
  } finally {
    await registry.stop();
  }
}

/** Kills at random moments: the lock is the old or the new one, no archive is incomplete, and the next run succeeds. */
async function checkKills(command: string): Promise<void> {
  const server = await startStatic(join(root, 'repository'));
  // Slow enough for kills in every step.
  server.fault = (request, response, file) => {
    setTimeout(() => answer(request, response, file), 15);
    return true;
  };
  const source = `http://${server.host}`;
  const order = orderOf(
    ['0.9.0', '1.0.0', '1.2.3', '1.10.0', '2.0.0'].map((version) => ({ name: 'web', version, source })),
  );
  try {
    const timed = Date.now();
    await drydock(command, projectWith(order), ['vendor', 'order.json']);
    const whole = Date.now() - timed;
    let early = 0;
    for (let kill = 0; kill < kills; kill++) {
      const cwd = projectWith(order);
      await killAfter(command, cwd, Math.round((whole * (kill + 0.5)) / kills));
      if (!existsSync(join(cwd, 'drydock.lock'))) early++;
      else
        for (const { archive, digest } of lockIn(cwd))
          if (archiveDigest(readFileSync(join(cwd, 'charts', archive))) !== digest)
            throw new Error(`${archive} is not whole`);
      if (kill % 5 !== 0) continue;
      const next = await drydock(command, cwd, ['vendor', 'order.json']);
      if (next.exitCode !== 0) throw new Error(next.stderr);
      const left = readdirSync(join(cwd, 'charts')).filter((name) => name.startsWith('.') && name !== '.incoming');
      if (left.length > 0 || lockIn(cwd).length !== 5) throw new Error(`a run after a kill leaves ${left.join(', ')}`);
    }
    check(
      `${kills} kills over ${whole} ms, ${early} of them before the lock was there, leave whole archives and a run that succeeds`,
      true,
    );
  } finally {
    await server.stop();
  }
}

function killAfter(command: string, cwd: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, 'vendor', 'order.json'], {
      cwd,
      env: seat.env as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

try {
  const command = await bundleCommand();
  const charts = await makeCharts();
  await checkRepository(command, charts);
  await checkRegistries(command, charts);
  await checkFaults(root, { folder: join(root, 'repository'), name: 'web', version: '1.10.0' });
  await checkKills(command);
} finally {
  rmSync(root, { recursive: true, force: true });
}

// The cache of `drydock snapshot`: unchanged charts are not rendered again; stale and truncated entries are not used; no entry contains a secret.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseFlags } from '../../../render/cli/flags.ts';
import { renderSettings } from '../../../render/cli/settings.ts';
import { flagsOf } from '../../../render/cli/table/command.ts';
import { snapshotSpec } from '../../../render/cli/table/snapshot.ts';
import { RenderCache, sweepEntries } from '../../../render/snapshot/cache.node.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { runInProcess } from '../../support/cli.ts';

const root = temporaryFolder('drydock-cache-');

const chart: Readonly<Record<string, string>> = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'size: 1\npassword: swordfish-plain\n',
  'web/ci/a-values.yaml': '# drydock: cluster objects.yaml\nsize: 2\n',
  'web/ci/b-values.yaml': 'size: 3\n',
  'web/ci/objects.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: existing, namespace: default}\ndata: {a: one}\n',
  'web/templates/map.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: {{ .Release.Namespace }}}
data:
  size: {{ .Values.size | quote }}
  kube: {{ .Capabilities.KubeVersion.Version }}
  file: {{ .Files.Get "note.txt" | quote }}
  existing: {{ dig "data" "a" "none" (lookup "v1" "ConfigMap" "default" "existing") }}
  random: {{ randAlphaNum 8 }}
  inner: {{ include "inner.word" . }}
---
apiVersion: v1
kind: Secret
metadata: {name: web}
stringData: {password: {{ .Values.password }}}
`,
  'web/charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.0.0\n',
  'web/charts/inner/templates/_h.tpl': '{{ define "inner.word" }}first{{ end }}',
  'web/note.txt': 'a note',
  'order.json': JSON.stringify({
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    spec: {
      packages: [
        { chart: { name: 'web', sourceRef: { kind: 'Local', name: 'web' }, releaseName: 'web', namespace: 'shop' } },
      ],
    },
  }),
};

let count = 0;

function project(): string {
  const folder = join(root, String(++count));
  for (const [name, text] of Object.entries(chart)) write(folder, name, text);
  return folder;
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const run = (folder: string, ...argv: string[]) => runInProcess(['snapshot', ...argv], folder);
const inputs = ['web', 'order.json'];

function entriesOf(folder: string, cache = '.drydock/cache'): string[] {
  const names = readdirSync(join(folder, cache), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /^..[\\/]/.test(name)).sort();
}

function cacheAt(folder: string): { readonly cache: RenderCache; readonly keys: readonly string[] } {
  const cache = new RenderCache(join(folder, '.drydock/cache'));
  return { cache, keys: entriesOf(folder).map((name) => name.replace(/[\\/]/, '')) };
}

test('unchanged cases come from the cache', async () => {
  const folder = project();
  await run(folder, ...inputs, '--update');
  assert.equal(entriesOf(folder).length, 3);
  assert.equal(readFileSync(join(folder, '.drydock/cache/.gitignore'), 'utf8'), '*\n');
  const output = await run(folder, ...inputs);
  assert.deepEqual([output.exitCode, output.stderr], [0, '']);
  // A forged cached output shows whether the cache was used.
  const { cache, keys } = cacheAt(folder);
  for (const key of keys) {
    const entry = cache.find(key);
    const files = new Map([...(entry?.files() ?? [])].map(([name, text]) => [name, text.replace('"2"', '"7"')]));
    cache.put(key, { files, facts: entry?.facts ?? {} });
  }
  const forged = await run(folder, 'web');
  assert.equal(forged.exitCode, 1);
  assert.match(forged.stdout, /data\.size: "2" -> "7"/);
  assert.equal((await run(folder, 'web', '--no-cache')).exitCode, 0);
});

test('a failure comes from the cache until its cause is fixed', async () => {
  const folder = project();
  const template = chart['web/templates/map.yaml'] as string;
  write(
    folder,
    'web/templates/map.yaml',
    `${template.replace('existing:', '{{ if eq (int .Values.size) 3 }}{{ fail "no 3" }}{{ end }}\n  existing:')}`,
  );
  await run(folder, 'web', '--update');
  const cold = await run(folder, 'web', '--no-cache');
  assert.match(cold.stderr, /no 3/);
  const { cache, keys } = cacheAt(folder);
  const [failed, ...others] = keys.filter((key) => cache.find(key)?.facts.failure !== undefined);
  assert.deepEqual([typeof failed, others], ['string', []]);
  assert.deepEqual(await run(folder, 'web'), cold);
  // A forged cached failure shows that nothing was rendered.
  const facts = JSON.parse(JSON.stringify(cache.find(failed as string)?.facts).replaceAll('no 3', 'never')) as object;
  cache.put(failed as string, { files: new Map(), facts: { ...facts } });
  assert.match((await run(folder, 'web')).stderr, /never/);
  assert.match((await run(folder, 'web', '--explain')).stderr, /no 3[\s\S]*Values\.size/);
  write(folder, 'web/templates/map.yaml', template);
  assert.doesNotMatch((await run(folder, 'web')).stderr, /no 3|never/);
});

test('an unparsable chart is reported the same way from the cache', async () => {
  const folder = project();
  write(folder, 'web/values.yaml', 'size: [\n');
  const first = await run(folder, 'web');
  assert.equal(first.exitCode, 1);
  const again = await run(folder, 'web');
  assert.deepEqual([again.exitCode, again.stdout, again.stderr], [1, first.stdout, first.stderr]);
});

test('everything that affects a rendering is part of its key', async () => {
  const folder = project();
  await run(folder, ...inputs, '--update');
  const changes: readonly (readonly [string, string])[] = [
    ['web/templates/map.yaml', (chart['web/templates/map.yaml'] as string).replace('name: web', 'name: other')],
    ['web/values.yaml', 'size: 1\npassword: another\n'],
    ['web/ci/b-values.yaml', 'size: 4\n'],
    ['web/ci/objects.yaml', (chart['web/ci/objects.yaml'] as string).replace('one', 'two')],
    ['web/charts/inner/templates/_h.tpl', '{{ define "inner.word" }}second{{ end }}'],
    ['web/note.txt', 'another note'],
    ['web/.helmignore', 'note.txt\n'],
  ];
  for (const [file, text] of changes) {
    write(folder, file, text);
    const cached = await run(folder, ...inputs);
    const rendered = await run(folder, ...inputs, '--no-cache');
    assert.equal(cached.exitCode, 1, file);
    assert.deepEqual(cached, rendered, file);
    // Again with the cache of this run.
    assert.deepEqual(await run(folder, ...inputs), rendered, file);
    if (chart[file] === undefined) rmSync(join(folder, file));
    else write(folder, file, chart[file]);
    assert.equal((await run(folder, ...inputs)).exitCode, 0, `${file} restored`);
  }
  const flagSets = [['--kube-version', '1.30'], ['--namespace', 'shop'], ['--show-secrets'], ['--helm', '4']];
  for (const argv of flagSets) {
    const rendered = await run(folder, ...inputs, ...argv, '--no-cache');
    assert.deepEqual(await run(folder, ...inputs, ...argv), rendered, argv.join(' '));
    assert.deepEqual(await run(folder, ...inputs, ...argv), rendered, argv.join(' '));
  }
  const env = { TZ: 'UTC', DRYDOCK_SECRET_KEY: 'another' };
  const argv = ['snapshot', ...inputs];
  const rendered = await runInProcess([...argv, '--no-cache'], folder, env);
  assert.equal(rendered.exitCode, 1);
  assert.deepEqual(await runInProcess(argv, folder, env), rendered);
});

test('every flag selects, compares and reports, or is a setting of the rendering', () => {
  const others = [
    ...['update', 'snapshots', 'filter', 'changed', 'against', 'jobs', 'bail', 'shard', 'watch', 'cache', 'no-cache'],
    ...['lines', 'verbose', 'exact', 'all', 'ignore', 'mask', 'report', 'json', 'explain'],
    ...['coverage', 'coverage-report', 'min', 'min-branches', 'config', 'no-config', 'no-color', 'quiet'],
  ];
  const specs = flagsOf(snapshotSpec);
  const defaults = renderSettings(parseFlags(specs, []));
  const deciding = specs.filter(({ name, words }) => {
    const texts = new Map([[name, [words?.[0] ?? 'true']]]);
    return JSON.stringify(renderSettings(parseFlags(specs, [], { defaults: texts }))) !== JSON.stringify(defaults);
  });
  assert.deepEqual([...others, ...deciding.map(({ name }) => name)].sort(), specs.map(({ name }) => name).sort());
});

test('a truncated, modified or misplaced entry is replaced', async () => {
  const folder = project();
  await run(folder, ...inputs, '--update');
  write(folder, 'web/ci/b-values.yaml', 'size: 9\n');
  const output = await run(folder, ...inputs);
  assert.equal(output.exitCode, 1);
  const files = entriesOf(folder).map((name) => join(folder, '.drydock/cache', name));
  const originals = files.map((file) => readFileSync(file));
  const corruptions: readonly ((bytes: Buffer, at: number) => Buffer)[] = [
    (bytes) => bytes.subarray(0, 0),
    (bytes) => bytes.subarray(0, 40),
    (bytes) => bytes.subarray(0, bytes.length - 5),
    (bytes) => Buffer.concat([bytes.subarray(0, 90), Buffer.from('?'), bytes.subarray(91)]),
    (bytes) =>
      Buffer.concat([bytes.subarray(0, bytes.length - 30), Buffer.from('?'), bytes.subarray(bytes.length - 29)]),
    (bytes) => Buffer.from(bytes.toString('latin1').replace('drydock 1 ', 'drydock 9 '), 'latin1'),
    (_, at) => originals[(at + 1) % originals.length] as Buffer,
    () => Buffer.from('drydock 1 \n'),
    () => Buffer.from('not a cache entry'),
  ];
  for (const corrupt of corruptions) {
    for (const [at, bytes] of originals.entries()) writeFileSync(files[at] as string, corrupt(bytes, at));
    assert.deepEqual(await run(folder, ...inputs), output, corrupt.toString());
    assert.deepEqual(await run(folder, ...inputs), output, corrupt.toString());
    const { cache, keys } = cacheAt(folder);
    const unreadable = keys.filter((key) => cache.find(key)?.files() === undefined);
    // An unchanged case is recognized by its digest, without reading its texts.
    assert.ok(unreadable.length < keys.length, corrupt.toString());
  }
});

test('a rendering succeeds even if it cannot be cached', async () => {
  const folder = project();
  write(folder, '.drydock', 'a file, not a folder\n');
  assert.equal((await run(folder, ...inputs, '--update')).exitCode, 0);
  assert.deepEqual((await run(folder, ...inputs)).stderr, '');
  assert.equal((await run(folder, ...inputs, '--cache', 'elsewhere/cache')).exitCode, 0);
  assert.ok(existsSync(join(folder, 'elsewhere/cache')));
});

test('concurrent runs leave a readable cache', async () => {
  const folder = project();
  await run(folder, ...inputs, '--update', '--no-cache');
  const runs = await Promise.all([run(folder, ...inputs), run(folder, ...inputs), run(folder, ...inputs)]);
  for (const one of runs) assert.equal(one.exitCode, 0);
  assert.equal(entriesOf(folder).length, 3);
  assert.equal((await run(folder, ...inputs)).exitCode, 0);
});

test('values from standard input are read once', async () => {
  const folder = project();
  const texts = ['size: 8\n'];
  const stdin = async (): Promise<string> => texts.shift() ?? '';
  const { exitCode, stderr } = await runInProcess(['snapshot', 'web', '-f', '-', '--update'], folder, {}, stdin);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(readFileSync(join(folder, 'snapshots/web.snap/-.yaml'), 'utf8'), /size: "8"/);
});

test('no secret is stored in plain text', async () => {
  const folder = project();
  await run(folder, ...inputs, '--update', '--show-secrets');
  assert.ok(!existsSync(join(folder, '.drydock')));
  await run(folder, ...inputs, '--update');
  const { cache, keys } = cacheAt(folder);
  for (const key of keys) {
    const entry = cache.find(key);
    const texts = [...(entry?.files()?.values() ?? []), JSON.stringify(entry?.facts)].join('\n');
    assert.ok(texts.includes('kind: Secret'));
    assert.ok(!texts.includes('swordfish'), key);
    assert.ok(!texts.includes(Buffer.from('swordfish-plain').toString('base64')), key);
  }
});

test('a cache folder inside a chart is not part of the chart', async () => {
  const folder = join(project(), 'web');
  write(
    folder,
    'templates/all.yaml',
    'kind: A\nfiles: {{ range $name, $_ := .Files.Glob "**" }}{{ $name }} {{ end }}\n',
  );
  await run(folder, '.', '--update', '--snapshots', '../snapshots');
  for (let time = 0; time < 2; time++)
    assert.equal((await run(folder, '.', '--snapshots', '../snapshots')).exitCode, 0);
  assert.equal(entriesOf(folder).length, 2);
});

test('warnings are also reported from the cache', async () => {
  const folder = project();
  write(folder, 'web/ci/b-values.yaml', 'inner: 5\n');
  await run(folder, 'web', '--update', '--no-cache');
  const rendered = await run(folder, 'web');
  assert.match(rendered.stderr, /inner/);
  assert.deepEqual(await run(folder, 'web'), rendered);
});

test('unused entries are removed after a month, and the oldest if there are too many', () => {
  const folder = join(root, 'swept');
  const cache = new RenderCache(folder);
  const keys = Array.from({ length: 6 }, (_, at) => String(at).repeat(64));
  for (const key of keys) cache.put(key, { files: new Map([['a', 'a text']]), facts: {} });
  const size = statSync(join(folder, '00', '0'.repeat(62))).size;
  const now = Date.now();
  keys.forEach((key, at) => {
    const time = new Date(now - at * 1000);
    utimesSync(join(folder, key.slice(0, 2), key.slice(2)), time, time);
  });
  const remaining = () => keys.filter((key) => existsSync(join(folder, key.slice(0, 2), key.slice(2))));
  sweepEntries(folder, { total: size * 4, age: 100_000 }, now);
  assert.deepEqual(remaining(), keys.slice(0, 4));
  sweepEntries(folder, { total: size * 4, age: 1500 }, now);
  assert.deepEqual(remaining(), keys.slice(0, 2));
  // Using an entry renews it.
  const old = join(folder, '11', '1'.repeat(62));
  utimesSync(old, new Date(0), new Date(0));
  assert.ok(cache.find(keys[1] as string) !== undefined);
  sweepEntries(folder);
  assert.deepEqual(remaining(), keys.slice(0, 2));
  writeFileSync(`${old}.1-0`, 'half');
  utimesSync(`${old}.1-0`, new Date(0), new Date(0));
  sweepEntries(folder);
  assert.ok(!existsSync(`${old}.1-0`));
});

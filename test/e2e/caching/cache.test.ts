// The cache of `drydock snapshot`: unchanged charts are not rendered again; stale and truncated entries are not used; no entry contains a secret.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseFlags } from '../../../render/cli/flags.ts';
import type { CommandIo } from '../../../render/cli/program.ts';
import { renderSettings } from '../../../render/cli/settings.ts';
import { flagsOf } from '../../../render/cli/table/command.ts';
import { snapshotSpec } from '../../../render/cli/table/snapshot.ts';
import { RenderCache, sweepEntries } from '../../../render/snapshot/cache.node.ts';
import { createProject } from '../../support/project.ts';

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

/** Creates a project with the chart, in which commands run in a folder. */
function createCached(cwd = '') {
  const project = createProject(chart);
  const folder = join(project.folder, cwd, '.drydock/cache');
  const runWith = (argv: readonly string[], io: Partial<CommandIo> = {}) =>
    project.run(['snapshot', ...argv], { cwd: join(project.folder, cwd), ...io });
  const entries = (): string[] => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /^..[\\/]/.test(name)).sort();
  };
  return {
    ...project,
    run: (...argv: string[]) => runWith(argv),
    runWith,
    entries,
    cacheFolder: folder,
    cached: () => ({ cache: new RenderCache(folder), keys: entries().map((name) => name.replace(/[\\/]/, '')) }),
  };
}

const inputs = ['web', 'order.json'];

test('unchanged cases come from the cache', async () => {
  const { cached, entries, read, run } = createCached();
  await run(...inputs, '--update');
  assert.equal(entries().length, 3);
  assert.equal(read('.drydock/cache/.gitignore'), '*\n');
  const output = await run(...inputs);
  assert.deepEqual([output.exitCode, output.stderr], [0, '']);
  // A forged cached output shows whether the cache was used.
  const { cache, keys } = cached();
  for (const key of keys) {
    const entry = cache.find(key)!;
    const files = new Map([...(entry.files() ?? [])].map(([name, text]) => [name, text.replace('"2"', '"7"')]));
    cache.put(key, { files, facts: entry.facts });
  }
  const forged = await run('web');
  assert.equal(forged.exitCode, 1);
  assert.match(forged.stdout, /data\.size: "2" -> "7"/);
  assert.equal((await run('web', '--no-cache')).exitCode, 0);
});

test('a failure comes from the cache until its cause is fixed', async () => {
  const { cached, run, write } = createCached();
  const template = chart['web/templates/map.yaml'] as string;
  const failing = '{{ if eq (int .Values.size) 3 }}{{ fail "no 3" }}{{ end }}\n  existing:';
  write({ 'web/templates/map.yaml': template.replace('existing:', failing) });
  await run('web', '--update');
  const cold = await run('web', '--no-cache');
  assert.match(cold.stderr, /no 3/);
  const { cache, keys } = cached();
  const [failed, ...others] = keys.filter((key) => cache.find(key)?.facts.failure !== undefined);
  assert.deepEqual([typeof failed, others], ['string', []]);
  assert.deepEqual(await run('web'), cold);
  // A forged cached failure shows that nothing was rendered.
  const facts = cache.find(failed as string)!.facts;
  const forged = { ...facts.failure!, message: facts.failure!.message.replaceAll('no 3', 'never') };
  cache.put(failed as string, { files: new Map(), facts: { ...facts, failure: forged } });
  assert.match((await run('web')).stderr, /never/);
  write({ 'web/templates/map.yaml': template });
  assert.doesNotMatch((await run('web')).stderr, /no 3|never/);
});

test('everything that affects a rendering is part of its key', async () => {
  const { remove, run, runWith, write } = createCached();
  await run(...inputs, '--update');
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
    write({ [file]: text });
    const cached = await run(...inputs);
    const rendered = await run(...inputs, '--no-cache');
    assert.equal(cached.exitCode, 1, file);
    assert.deepEqual(cached, rendered, file);
    // Again with the cache of this run.
    assert.deepEqual(await run(...inputs), rendered, file);
    if (chart[file] === undefined) remove(file);
    else write({ [file]: chart[file] });
    assert.equal((await run(...inputs)).exitCode, 0, `${file} restored`);
  }
  const flagSets = [['--kube-version', '1.30'], ['--namespace', 'shop'], ['--show-secrets'], ['--helm', '4']];
  for (const argv of flagSets) {
    const rendered = await run(...inputs, ...argv, '--no-cache');
    assert.deepEqual(await run(...inputs, ...argv), rendered, argv.join(' '));
    assert.deepEqual(await run(...inputs, ...argv), rendered, argv.join(' '));
  }
  const env = { TZ: 'UTC', DRYDOCK_SECRET_KEY: 'another' };
  const rendered = await runWith([...inputs, '--no-cache'], { env });
  assert.equal(rendered.exitCode, 1);
  assert.deepEqual(await runWith(inputs, { env }), rendered);
});

test('every flag selects, compares and reports, or is a setting of the rendering', () => {
  const others = [
    ...['update', 'snapshots', 'filter', 'changed', 'against', 'jobs', 'bail', 'shard', 'watch', 'cache', 'no-cache'],
    ...['verbose', 'exact', 'all', 'ignore', 'report', 'json', 'explain'],
    ...['coverage', 'coverage-report', 'min', 'min-branches', 'config', 'no-config', 'no-color', 'quiet'],
  ];
  const specs = flagsOf(snapshotSpec);
  const defaults = renderSettings(parseFlags(specs, []));
  const deciding = specs.filter(({ name, words, offers }) => {
    const choices = words ?? (Array.isArray(offers) ? offers : ['true']);
    const texts = new Map([[name, choices.slice(0, 1)]]);
    return JSON.stringify(renderSettings(parseFlags(specs, [], { defaults: texts }))) !== JSON.stringify(defaults);
  });
  assert.deepEqual([...others, ...deciding.map(({ name }) => name)].sort(), specs.map(({ name }) => name).sort());
});

test('a truncated, modified or misplaced entry is replaced', async () => {
  const { cacheFolder, cached, entries, run, write } = createCached();
  await run(...inputs, '--update');
  write({ 'web/ci/b-values.yaml': 'size: 9\n' });
  const output = await run(...inputs);
  assert.equal(output.exitCode, 1);
  const files = entries().map((name) => join(cacheFolder, name));
  const originals = files.map((file) => readFileSync(file));
  const corruptions: readonly ((bytes: Buffer, at: number) => Buffer)[] = [
    (bytes) => bytes.subarray(0, 0),
    (bytes) => bytes.subarray(0, bytes.length - 5),
    (bytes) => Buffer.concat([bytes.subarray(0, 90), Buffer.from('?'), bytes.subarray(91)]),
    (bytes) => Buffer.from(bytes.toString('latin1').replace('drydock 2 ', 'drydock 9 '), 'latin1'),
    (_, at) => originals[(at + 1) % originals.length] as Buffer,
    () => Buffer.from('not a cache entry'),
  ];
  for (const corrupt of corruptions) {
    for (const [at, bytes] of originals.entries()) writeFileSync(files[at] as string, corrupt(bytes, at));
    assert.deepEqual(await run(...inputs), output, corrupt.toString());
    assert.deepEqual(await run(...inputs), output, corrupt.toString());
    const { cache, keys } = cached();
    const unreadable = keys.filter((key) => cache.find(key)?.files() === undefined);
    // An unchanged case is recognized by its digest, without reading its texts.
    assert.ok(unreadable.length < keys.length, corrupt.toString());
  }
});

test('a rendering succeeds even if it cannot be cached', async () => {
  const { folder, run, write } = createCached();
  write({ '.drydock': 'a file, not a folder\n' });
  assert.equal((await run(...inputs, '--update')).exitCode, 0);
  assert.deepEqual((await run(...inputs)).stderr, '');
  assert.equal((await run(...inputs, '--cache', 'elsewhere/cache')).exitCode, 0);
  assert.ok(existsSync(join(folder, 'elsewhere/cache')));
});

test('no secret is stored in plain text', async () => {
  const { cached, folder, run } = createCached();
  await run(...inputs, '--update', '--show-secrets');
  assert.ok(!existsSync(join(folder, '.drydock')));
  await run(...inputs, '--update');
  const { cache, keys } = cached();
  for (const key of keys) {
    const entry = cache.find(key);
    const texts = [...(entry?.files()?.values() ?? []), JSON.stringify(entry?.facts)].join('\n');
    assert.ok(texts.includes('kind: Secret'));
    assert.ok(!texts.includes('swordfish'), key);
    assert.ok(!texts.includes(Buffer.from('swordfish-plain').toString('base64')), key);
  }
});

test('a cache folder inside a chart is not part of the chart', async () => {
  const { entries, run, write } = createCached('web');
  const template = 'kind: A\nfiles: {{ range $name, $_ := .Files.Glob "**" }}{{ $name }} {{ end }}\n';
  write({ 'web/templates/all.yaml': template });
  const argv = ['.', '--snapshots', '../snapshots'];
  await run(...argv, '--update');
  for (let time = 0; time < 2; time++) assert.equal((await run(...argv)).exitCode, 0);
  assert.equal(entries().length, 2);
});

test('unused entries are removed after a month, and the oldest if there are too many', () => {
  const { folder } = createProject();
  const cache = new RenderCache(folder);
  const now = Date.now();
  const keys = Array.from({ length: 6 }, (_, at) => String(at).repeat(64));
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), key.slice(2));
  for (const [at, key] of keys.entries()) {
    cache.put(key, { files: new Map([['a', 'a text']]), facts: { milliseconds: 0, findings: [], warnings: [] } });
    const time = new Date(now - at * 1000);
    utimesSync(fileOf(key), time, time);
  }
  const { size } = statSync(fileOf(keys[0]!));
  const remaining = () => keys.filter((key) => existsSync(fileOf(key)));
  sweepEntries(folder, { total: size * 4, age: 100_000 }, now);
  assert.deepEqual(remaining(), keys.slice(0, 4));
  sweepEntries(folder, { total: size * 4, age: 1500 }, now);
  assert.deepEqual(remaining(), keys.slice(0, 2));
  // Using an entry renews it.
  const old = fileOf(keys[1]!);
  utimesSync(old, new Date(0), new Date(0));
  assert.ok(cache.find(keys[1]!) !== undefined);
  sweepEntries(folder);
  assert.deepEqual(remaining(), keys.slice(0, 2));
  // A file that a killed run left.
  writeFileSync(`${old}.1-0`, 'half');
  utimesSync(`${old}.1-0`, new Date(0), new Date(0));
  sweepEntries(folder);
  assert.ok(!existsSync(`${old}.1-0`));
});

// Orders rendered in worker threads: the results are the same as in the main thread, and a hostile Order is stopped. hostile-orders.ts shows
// that it delays no other.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createLazyEngine } from '../../../emulator/rendering/lazy-engine.ts';
import { renderInThreads } from '../../../emulator/rendering/pool.node.ts';
import type { OrderSource, RenderJob } from '../../../emulator/rendering/renderer.ts';
import type { Json } from '../../../emulator/store/json.ts';
import { loadChart, memoryRegistry } from '../../../render/index.ts';

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n',
  'templates/a.yaml': `
{{- range until (int .Values.times) }}{{ range until 1000 }}{{ range until 1000 }}{{ $_ := add 1 . }}{{ end }}{{ end }}{{ end }}
{{- $list := list }}{{ range until (int .Values.lists) }}{{ $list = append $list (until 100000) }}{{ end }}
{{- if .Values.fail }}{{ fail "intended" }}{{ end }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  text: {{ repeat (int .Values.size) "x" | quote }}
`,
});

const registry = memoryRegistry([chart]);

function order(values: Json, name = 'hostile'): Json {
  const selection = {
    name,
    sourceRef: { kind: 'Local', name: 'hostile' },
    version: '1.0.0',
    releaseName: 'r',
    namespace: 'n',
    values,
  };
  const packages = [{ chart: selection }];
  return { apiVersion: 'releases.x-helm.dev/v1alpha1', kind: 'Order', metadata: { name: 'o' }, spec: { packages } };
}

function manifest(values: Json, name?: string): { readonly task: 'manifest' } & OrderSource {
  return { task: 'manifest', order: JSON.stringify(order(values, name)), seed: 'x' };
}

function body(value: Json): RenderJob {
  return { task: 'check', body: new TextEncoder().encode(JSON.stringify(value)) };
}

function output(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const limits = { milliseconds: 2000, outputBytes: 4_000_000, memory: 256 };
const threads = renderInThreads({ registry, limits });
after(() => threads.stop());

test('a worker and the main thread return the same results, for every output and error', async () => {
  const here = createLazyEngine({ registry, outputBytes: limits.outputBytes });
  const { order: good, seed } = manifest({ size: 3 });
  const text = { order: good, seed };
  const places = (['linux', 'windows'] as const).map((os) => ({ os, url: `http://x/${os}`, command: os }));
  const jobs: readonly RenderJob[] = [
    body(order({ size: 3 })),
    body({ spec: { packages: [{ chart: {} }] } }),
    body({ spec: { packages: [] } }),
    { task: 'check', body: new Uint8Array([0xff]) },
    manifest({ size: 3 }),
    manifest({ fail: true }),
    manifest({}, 'unknown'),
    { task: 'resources', ...text, skipCRDs: false, format: 'json' },
    { task: 'scripts', ...text, tool: 'kubectl', places },
    { task: 'script', ...text, tool: 'helm', os: 'darwin' },
  ];
  const failed = (failure: unknown): unknown => {
    const { name, message, code, issues, place, hint, path, release, chart } = failure as Record<string, unknown>;
    return { name, message, code, issues, place, hint, path, release, chart };
  };
  for (const job of jobs) {
    assert.deepEqual(await threads.render(job).catch(failed), await here(job).catch(failed), job.task);
  }
});

test('a rendering that exceeds its time, size or memory is stopped, and the next job continues', async () => {
  const rejects = (values: Json, message: RegExp): Promise<void> =>
    assert.rejects(threads.render(manifest(values)), { name: 'RenderError', code: 'LIMIT_REACHED', message });
  await rejects({ times: 100_000 }, /the rendering took longer than 2000 ms and was stopped$/);
  await rejects(
    { size: 5_000_000 },
    /at <repeat .*: the rendering made more than 4000000 bytes of text and was stopped$/,
  );
  await rejects({ lists: 100_000 }, /MiB of memory and was stopped$|took longer than 2000 ms/);
  assert.match(output(await threads.render(manifest({ size: 1 }))), /text: "x"/);
});

// A rendering stays within its limits: infinite ones are stopped with LIMIT_REACHED and the place.

import { equal, match, ok, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import {
  loadChart,
  memoryRegistry,
  type RenderLimits,
  renderOrder,
  seededHost,
  template,
} from '../../../render/index.ts';
import { chartYaml } from '../../support/project.ts';
import { failureOf as errorOf } from '../../support/render-error.ts';

const chartOf = (text: string) => loadChart({ 'Chart.yaml': chartYaml('c'), 'templates/a.yaml': `# first\n${text}` });
const render = (text: string, limits?: RenderLimits): string => template(chartOf(text), { host: seededHost(), limits });
const failureOf = (text: string, limits: RenderLimits) => errorOf(() => render(text, limits));

const loop = '{{ range until 3000 }}{{ range until 3000 }}{{ $_ := sha256sum "x" }}{{ end }}{{ end }}';

test('steps of ranges, calls and includes are counted', () => {
  const { code, message, place } = failureOf(loop, { steps: 10_000 });
  equal(code, 'LIMIT_REACHED');
  match(
    message,
    /^template: c\/templates\/a\.yaml:2:\d+: executing .*the rendering took more than 10000 steps and was/,
  );
  equal(place?.file, 'c/templates/a.yaml');
  equal(place?.line, 2);
  const recursion = '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}';
  equal(failureOf(recursion, { steps: 500 }).code, 'LIMIT_REACHED');
  equal(failureOf(`{{ tpl ${JSON.stringify(loop)} . }}`, { steps: 100 }).code, 'LIMIT_REACHED');
  equal(render('{{ range until 20 }}{{ end }}', { steps: 40 }), render('{{ range until 20 }}{{ end }}'));
});

test('time is limited', () => {
  const start = performance.now();
  match(failureOf(loop, { milliseconds: 30 }).message, /the rendering took longer than 30 ms and was stopped$/);
  ok(performance.now() - start < 5000);
});

test('no string and no list becomes larger than the output limit', () => {
  const limits = { outputBytes: 100_000 };
  for (const text of [
    'a: {{ repeat 200000 "x" }}',
    '{{ $_ := repeat 100000000 "xx" }}',
    '{{ $_ := until 50000000 }}',
    '{{ $_ := seq 1 50000000 | len }}',
    '{{ $_ := repeat 400 "\\n" | indent 400 }}',
    '{{ range until 3000 }}a: {{ repeat 100 "x" }}\n{{ end }}',
    '{{ $s := "x" }}{{ range until 100 }}{{ $s = print $s $s }}{{ end }}',
  ]) {
    const { code, message } = failureOf(text, limits);
    equal(code, 'LIMIT_REACHED', text);
    match(message, /the rendering made more than 100000 bytes of text and was stopped$/, text);
  }
  ok(render('a: {{ repeat 90000 "x" }}', limits).length > 90_000);
});

test("JavaScript's own limits are reported the same way", () => {
  const text = '{{ $s := repeat 100000000 "x" }}{{ range until 10 }}{{ $s = print $s $s }}{{ end }}';
  equal(failureOf(text, {}).code, 'LIMIT_REACHED');
});

test('the packages of an order share one budget', async () => {
  const registry = memoryRegistry([chartOf('{{ range until 100 }}{{ end }}a: 1')]);
  const chart = (releaseName: string) => ({
    chart: { name: 'c', sourceRef: { kind: 'Local', name: 'c' }, releaseName, namespace: 'n', values: {} },
  });
  const order = { spec: { packages: [chart('one'), chart('two')] } };
  await renderOrder(order, { registry, limits: { steps: 300 } });
  await rejects(renderOrder(order, { registry, limits: { steps: 150 } }), { code: 'LIMIT_REACHED' });
});

test('limits are validated like all options', () => {
  throws(() => render('a', { steps: 0 }), {
    code: 'ARGUMENT_INVALID',
    message: /options\.limits\.steps must be a whole/,
  });
  throws(() => render('a', { seconds: 1 } as RenderLimits), { code: 'ARGUMENT_INVALID', message: /is not a known/ });
});

// Tests, for all charts in folders, what drydock generates: `npm run test:e2e -- generated-cases charts/`.
// The values files reach the reported branches, the schema accepts them, no combination of the chart's flags uses an image that is not
// listed, and values that are renamed in a copy of the chart are found under their new name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCase, generateCases, listChartImages, listImages, valuesSchema } from '../../../render/api/cases.ts';
import { renderRelease } from '../../../render/api/chart.ts';
import { type CoverageCase, coverChart } from '../../../render/api/coverage.ts';
import { checkUpgrade } from '../../../render/api/upgrade.ts';
import type { Chart } from '../../../render/chart/chart.ts';
import { plainValue } from '../../../render/codec/plain.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import type { GoMap } from '../../../render/go/value.ts';
import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import { jsonAtSteps, leafPaths, withValue } from '../../../render/values/edit.ts';
import { valueOfJson } from '../../../render/values/patch.ts';
import { pathText } from '../../../render/values/paths.ts';
import { orRenderError } from '../../support/chart-values.ts';
import { Dice } from '../../support/dice.ts';
import { type ChartUnderTest, chartArguments, checkCharts } from './every-chart.ts';

// The time of each search, the combinations of flags that are rendered, and the values that are renamed, for each chart.
const [maxSeconds, maxRenderings, maxRenames] = [15, 200, 8];
const { charts, counts, failures } = await checkCharts(chartArguments({}), (tried) => {
  const failures: string[] = [];
  const cases = checkCases(tried, failures);
  // A search that ran out of time may not have found every image.
  const images = cases.cut === 0 ? checkImages(tried, failures) : {};
  return { counts: { ...cases, ...images, ...checkRenames(tried, failures) }, failures };
});
const { before = 0, after = 0, reachable = 0, files = 0, cut = 0, images = 0, renamed = 0, followed = 0 } = counts;
console.log(
  `generated cases: ${charts} charts, ${before} outcomes before, ${after} of ${reachable} after, in ${files} files`,
);
console.log(
  `${cut} searches timed out; ${images} images; ${followed} of ${renamed} renamed values found; ${failures.length} failures`,
);
process.exitCode = failures.length === 0 && charts > 0 ? 0 : 1;

function existingCases({ cases }: ChartUnderTest): CoverageCase[] {
  const found = cases.flatMap(({ chart, valuesFile }) =>
    valuesFile === undefined
      ? []
      : [{ name: valuesFile, valuesFiles: [readFileSync(join(chart, valuesFile), 'utf8')] }],
  );
  return found.length > 0 ? found : [{ name: 'defaults' }];
}

function checkCases(tried: ChartUnderTest, failures: string[]): Record<string, number> & { readonly cut: number } {
  const { chart } = tried;
  const existing = existingCases(tried);
  const { cases, before, after, reachable, isCut } = generateCases(chart, { cases: existing, maxSeconds });
  const files = cases.map((one, at) => {
    const { kubeVersion, apiVersions, isUpgrade } = one;
    return { name: `case ${at}`, valuesFiles: [formatCase(one)], kubeVersion, apiVersions, isUpgrade };
  });
  const { branches, templates } = coverChart(chart, { cases: [...existing, ...files] }).totals;
  const covered = branches.covered + templates.covered;
  if (covered !== after.covered) failures.push(`${after.covered} outcomes reported as covered, ${covered} are`);
  const schema = new TextEncoder().encode(JSON.stringify(valuesSchema(chart, { cases: existing, maxSeconds })));
  for (const one of [...existing, ...files]) {
    const message = failureOf({ ...chart, schema }, one);
    if (message?.includes('schema') === true && failureOf({ ...chart, schema: undefined }, one) === undefined) {
      failures.push(`the schema rejects ${one.name}: ${message.slice(0, 200)}`);
    }
  }
  return { before: before.covered, after: after.covered, reachable, files: cases.length, cut: isCut ? 1 : 0 };
}

function failureOf(chart: Chart, one: CoverageCase): string | undefined {
  const { name: _, ...options } = one;
  const release = orRenderError(() => renderRelease(chart, options));
  return release instanceof RenderError ? release.message : undefined;
}

function checkImages({ chart, seed }: ChartUnderTest, failures: string[]): Record<string, number> {
  const listed = listChartImages(chart, { maxSeconds });
  const known = new Set(listed.map(({ reference }) => reference));
  const flags = leafPaths(plainValue(chart.values) as JsonObject).filter(({ value }) => typeof value === 'boolean');
  const isAll = 2 ** flags.length <= maxRenderings;
  const dice = new Dice(seed);
  for (let at = 0; at < (isAll ? 2 ** flags.length : maxRenderings); at++) {
    const values = flags.reduce<JsonObject>((all, { steps, value }, bit) => {
      const isOther = isAll ? ((at >> bit) & 1) === 1 : dice.chance(0.3);
      return isOther ? withValue(all, steps, value !== true, all) : all;
    }, {});
    for (const reference of imagesOf(chart, values)) {
      if (known.has(reference)) continue;
      known.add(reference);
      failures.push(`${reference} is not listed, but used with ${JSON.stringify(values)}`);
    }
  }
  return { images: listed.length };
}

function imagesOf(chart: Chart, values: JsonObject): string[] {
  const release = orRenderError(() => renderRelease(chart, { values }));
  if (release instanceof RenderError) return [];
  return listImages([...release.objects, ...release.hooks].map(({ object }) => object)).map((one) => one.reference);
}

function checkRenames({ chart }: ChartUnderTest, failures: string[]): Record<string, number> {
  const text = chart.templates.map(({ data }) => decodeUtf8(data)).join('\n');
  const defaults = plainValue(chart.values) as JsonObject;
  const named = leafPaths(defaults).filter(
    ({ steps }) => steps.every((name) => /^\w+$/.test(String(name))) && mention(steps).test(text),
  );
  const bare = { ...chart, schema: undefined };
  const every = Math.max(1, Math.floor(named.length / maxRenames));
  let [renamed, followed] = [0, 0];
  for (const { steps: path, value } of named.filter((_, at) => at % every === 0).slice(0, maxRenames)) {
    const to = [...path.slice(0, -1), `${path.at(-1)}Renamed`];
    const { values, failureBefore } = checkUpgrade(bare, withRenamed(bare, path, to), {
      values: withValue({}, path, otherValue(value), {}),
    });
    const [change] = values;
    // A value that nothing reads cannot be found.
    if (failureBefore !== undefined || change === undefined || change.kind === 'unused') continue;
    renamed++;
    if (change.to === pathText(to)) followed++;
    else if (change.kind === 'moved')
      failures.push(`${pathText(path)} is reported as ${change.to}, not ${pathText(to)}`);
  }
  return { renamed, followed };
}

function mention(path: Steps): RegExp {
  return new RegExp(`(\\.Values\\.)${path.join('\\.')}(?![\\w.])`, 'g');
}

function withRenamed(chart: Chart, path: Steps, to: Steps): Chart {
  const templates = chart.templates.map((file) => {
    const text = decodeUtf8(file.data).replace(mention(path), `$1${to.join('.')}`);
    return { ...file, data: new TextEncoder().encode(text) };
  });
  const defaults = plainValue(chart.values) as JsonObject;
  const values = withValue(
    withValue(defaults, to, jsonAtSteps(defaults, path) ?? null, defaults),
    path,
    null,
    defaults,
  );
  return { ...chart, templates, values: valueOfJson(values) as GoMap };
}

function otherValue(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return 'custom';
  return Array.isArray(value) ? value : { custom: 'custom' };
}

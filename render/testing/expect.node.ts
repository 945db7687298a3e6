// The entry point `drydock/testing`: assertions on renderings for node:test, vitest and jest. No test runner is imported here.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Release, releaseChecks, renderRelease, type TracedReleaseOptions } from '../api/chart.ts';
import type { RenderedOrder } from '../api/order.ts';
import { validateObjects } from '../api/validation.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import {
  checkArguments,
  either,
  filled,
  flag,
  having,
  jsonObject,
  optional,
  optionsOf,
  text,
  wrongKind,
} from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { diffObjects } from '../diff/difference.ts';
import { differenceText } from '../diff/text.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import type { JsonObject } from '../order/order.ts';
import { normalizeFiles } from '../snapshot/normalize.ts';
import { objectIssueText } from '../validation/objects/document-issues.ts';
import { missingIn } from './contains.ts';
import { failureNames } from './failure-names.node.ts';
import { callerOf, type NodeTest, runningTest, snapshotPath } from './place.node.ts';

export type { NodeTest } from './place.node.ts';

/** A rendering: a chart as a release, or an Order. */
export type Rendering = Release | RenderedOrder;

/** Options of `expectOrder`. */
export interface ExpectOptions {
  /** The context of a node:test test, whose name is used for snapshots. vitest and jest have theirs in a global. */
  readonly test?: NodeTest | undefined;
}

/** The options of `toBeValid`. */
export interface ValidityOptions {
  /** The version of Kubernetes, such as `1.31`. */
  readonly kube?: string | undefined;
}

/** Assertions on a rendering. Each rejects with an assertion error that shows the difference. */
export interface OrderExpectation {
  /**
   * Compares the manifest, by meaning, with the file in `__snapshots__/` beside the test. A missing snapshot is recorded, except in CI (the
   * variable `CI`); `-u` of the runner, `--test-update-snapshots` or UPDATE_SNAPSHOTS=1 record again. Data of Secrets are replaced by
   * fingerprints. `name` replaces the name of the test. Rejects with ARGUMENT_INVALID if there is no name.
   */
  toMatchSnapshot(name?: string): Promise<void>;
  /** Expects that one object contains these members; for a list, each given item in any position. */
  toContain(members: JsonObject): Promise<void>;
  /**
   * Expects that every object is valid, offline: for a Kubernetes version (`kube`, such as `1.31`; default: the one of the rendering) and
   * the custom resource definitions among the objects. Unknown fields are errors, as in kubectl.
   */
  toBeValid(options?: ValidityOptions): Promise<void>;
  /** Expects that rendering fails with a code, such as `VALUES_INVALID`. Returns the error. */
  toFail(code: string): Promise<RenderError>;
}

/** The failure of an expectation: an assertion error, except in jest (`failureNames`). */
export class ExpectationError extends Error {
  override readonly name = failureNames().name;
  readonly code = failureNames().code;
}

/**
 * Renders a chart for a test: like `renderRelease`, but with a frozen clock and seeded randomness. `chart` is a path or a chart. Rejects as
 * `loadChartPath` and `renderRelease` do.
 * @example
 * const release = await renderChart('charts/web', { values: { replicaCount: 2 } });
 */
export async function renderChart(chart: string | Chart, options: TracedReleaseOptions = {}): Promise<Release> {
  checkArguments(
    'renderChart',
    ['chart', chart, typeof chart === 'string' ? filled : chartArgument],
    ['options', options, chartOptions],
  );
  const loaded = typeof chart === 'string' ? await loadChartPath(chart, { helm: options.helm }) : chart;
  return renderRelease(loaded, { host: seededHost(), ...options });
}

const chartOptions = optionsOf<TracedReleaseOptions>({ ...releaseChecks, trace: flag });
const context = having<NodeTest>('the context of a test', { name: text, fullName: optional(text) });
const validityOptions = optionsOf<ValidityOptions>({ kube: filled });
const expectOptions = optionsOf<ExpectOptions>({ test: context });

// Number of snapshots with the same name in a test.
const counts = new Map<string, number>();

/**
 * Returns assertions on a rendering, a promise of one, or a function that returns either. Throws ARGUMENT_INVALID.
 * @example
 * test('the shop runs two pods', async () => {
 *   await expectOrder(renderChart('charts/web')).toContain({ kind: 'Deployment', spec: { replicas: 2 } });
 *   await expectOrder(() => renderChart('charts/web', { values: { replicaCount: 'x' } })).toFail('VALUES_INVALID');
 * });
 */
export function expectOrder(
  rendering: Rendering | Promise<Rendering> | (() => Rendering | Promise<Rendering>),
  options: ExpectOptions = {},
): OrderExpectation {
  checkArguments('expectOrder', ['options', options, expectOptions]);
  const file = callerOf(expectOrder);
  // The rendering may fail before an assertion is called, which `toFail` expects.
  const normalized = settle(rendering);
  const manifest = async (): Promise<string> => {
    const outcome = await normalized;
    if ('error' in outcome) throw outcome.error;
    return manifestOf(outcome.value);
  };
  return {
    toMatchSnapshot: async (name) => {
      checkArguments('toMatchSnapshot', ['name', name, optional(filled)]);
      matchFile(await manifest(), { name, file, test: options.test });
    },
    toContain: async (members) => {
      checkArguments('toContain', ['members', members, jsonObject]);
      const missing = missingIn(await manifest(), members);
      if (missing === undefined) return;
      throw new ExpectationError(`no object contains ${JSON.stringify(members)}\n\n${missing}`);
    },
    toBeValid: async (options = {}) => {
      checkArguments('toBeValid', ['options', options, validityOptions]);
      const outcome = await normalized;
      if ('error' in outcome) throw outcome.error;
      const issues = await validateObjects(outcome.value, { kubeVersion: options.kube });
      const faults = issues.filter(({ severity }) => severity === 'error');
      if (faults.length === 0) return;
      const lines = faults.map((issue) => `  ${objectIssueText(issue)}. ${issue.hint}`);
      throw new ExpectationError(`the rendered manifest is not valid\n\n${lines.join('\n')}`);
    },
    toFail: async (code) => {
      checkArguments('toFail', ['code', code, filled]);
      const outcome = await normalized;
      if (!('error' in outcome)) throw new ExpectationError(`rendering was to fail with ${code}, and it did not`);
      const { error } = outcome;
      if (!(error instanceof RenderError)) throw error;
      if (error.code === code) return error;
      throw new ExpectationError(
        `rendering was to fail with ${code}, and it failed with ${error.code}: ${error.message}`,
      );
    },
  };
}

type Outcome = { readonly value: Rendering } | { readonly error: unknown };

async function settle(rendering: Parameters<typeof expectOrder>[0]): Promise<Outcome> {
  try {
    const value = await (typeof rendering === 'function' ? rendering() : rendering);
    checkArguments('expectOrder', ['rendering', value, isRendering]);
    return { value };
  } catch (error) {
    return { error };
  }
}

const release = having<Release>('a rendered chart or Order', { text: isFunction });
const order = having<RenderedOrder>('a rendered chart or Order', { manifest: isFunction });
const isRendering = either(
  (value) => typeof value === 'object' && value !== null && 'manifest' in value,
  order,
  release,
);

function isFunction(value: unknown, path: string): ReturnType<typeof wrongKind> {
  return typeof value === 'function' ? [] : wrongKind(value, path, 'a function');
}

function manifestOf(rendering: Rendering): string {
  return 'manifest' in rendering ? rendering.manifest() : rendering.text();
}

function matchFile(
  manifest: string,
  { name: given, file: caller, test }: { readonly name: string | undefined; readonly file: string } & ExpectOptions,
): void {
  const { name: own, file, isUpdating, isClosed } = runningTest(test, caller);
  const name = given ?? own;
  if (name === '' || file === '') {
    throw new RenderError('ARGUMENT_INVALID', 'toMatchSnapshot: the current test is unknown', {
      member: 'name',
      hint: 'Give it a name, or the context of node:test: expectOrder(rendering, { test: t }).',
    });
  }
  const key = `${file}\0${name}`;
  // An explicit name is used as is; the name of a test gets a number.
  const count = given === undefined ? (counts.get(key) ?? 0) + 1 : 1;
  counts.set(key, count);
  const path = snapshotPath(file, name, count);
  const now = normalizeFiles(new Map([['', manifest]])).files.get('') ?? '';
  const before = existsSync(path) ? decodeUtf8(readFileSync(path)) : undefined;
  const isNew = before === undefined;
  const difference = diffObjects({ documents: before ?? '' }, { documents: now }, { all: isNew, showSecrets: true });
  if (!isNew && difference.objects.length === 0) return;
  if (isUpdating || (isNew && !isClosed && !process.env.CI)) {
    makeFolder(dirname(path));
    writeFileSync(path, encodeUtf8(now));
    return;
  }
  const problem = isNew ? `is not recorded: ${path}` : `differs from ${path}`;
  const hint = 'If this is meant, record it: -u of the runner, or UPDATE_SNAPSHOTS=1.';
  throw new ExpectationError(`the rendered manifest ${problem}\n\n${differenceText(difference)}\n${hint}`);
}

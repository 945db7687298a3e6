// The door `drydock/testing`: what is rendered, in the tests of node:test, vitest and jest. No test runner is imported here.

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
import { formatDifference } from '../diff/text.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import type { JsonObject } from '../order/order.ts';
import { failureNames } from '../snapshot/failure-names.node.ts';
import { normalizeFiles } from '../snapshot/normalize.ts';
import { objectIssueText } from '../validation/objects/document-issues.ts';
import { missingIn } from './contains.ts';
import { callerOf, type NodeTest, runningTest, snapshotPath } from './place.node.ts';

export type { NodeTest } from './place.node.ts';

/** What is rendered: a chart as a release, or an Order. */
export type Rendering = Release | RenderedOrder;

/** The options of `expectOrder`. */
export interface ExpectOptions {
  /** The context of a test of node:test, whose name snapshots have. vitest and jest have theirs in a global. */
  readonly test?: NodeTest | undefined;
}

/** The options of `toBeValid`. */
export interface ValidityOptions {
  /** The version of Kubernetes, such as `1.31`. */
  readonly kube?: string | undefined;
}

/** What can be expected of a rendering. Each rejects with an assertion error that shows the difference. */
export interface OrderExpectation {
  /**
   * Compares the manifest, by its meaning, with the file in `__snapshots__/` beside the test. What is not there yet is recorded,
   * but not in CI (the variable `CI`); `-u` of the runner, `--test-update-snapshots` or UPDATE_SNAPSHOTS=1 record anew. Data of
   * Secrets are fingerprints in it. `name` stands for the test's own. Rejects with ARGUMENT_INVALID where there is no name.
   */
  toMatchSnapshot(name?: string): Promise<void>;
  /** Expects that one object holds these members; of a list, each item that is named, in any place. */
  toContain(members: JsonObject): Promise<void>;
  /**
   * Expects that every object is what its schema says, offline: of a version of Kubernetes (`kube`, such as `1.31`; default the
   * one that was rendered for) and of the custom resource definitions beside it. Unknown fields are faults, as to kubectl.
   */
  toBeValid(options?: ValidityOptions): Promise<void>;
  /** Expects that rendering fails with a code, such as `VALUES_INVALID`. Returns the failure. */
  toFail(code: string): Promise<RenderError>;
}

/** The failure of an expectation: an assertion that failed, but to jest (`failureNames`). */
export class ExpectationError extends Error {
  override readonly name = failureNames().name;
  readonly code = failureNames().code;
}

/**
 * Renders a chart for a test: as `renderRelease` does, but with a frozen clock and seeded randomness. `chart` is a path or a chart.
 * Rejects as `loadChartPath` and `renderRelease` do.
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

// How often a test has compared a snapshot of one name.
const counts = new Map<string, number>();

/**
 * Expects something of a rendering, of the promise of one, or of a function that gives either. Throws ARGUMENT_INVALID.
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
  // It may fail before anybody asks, which is what `toFail` is for.
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
  // A name that is given stands for itself; the name of a test counts its snapshots.
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
  throw new ExpectationError(`the rendered manifest ${problem}\n\n${formatDifference(difference)}\n${hint}`);
}

// Generates cases that reach every branch of a chart.

import { type GeneratedCase, type GeneratedCases, generate, isGeneratedFile, valuesFileOf } from '../cases/generate.ts';
import type { BranchOutcome } from '../cases/outcomes.ts';
import type { CaseSettings, ObjectChecks } from '../cases/search.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { plainValue } from '../codec/plain.ts';
import {
  checkArguments,
  flag,
  having,
  jsonObject,
  listOf,
  membersOf,
  type OptionChecks,
  optional,
  optionsOf,
  text,
  wholeNumber,
} from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { LruCache } from '../core/lru-cache.ts';
import type { GoMap } from '../go/value.ts';
import { helmOf } from '../helm/versions.ts';
import { readObjects } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import type { JsonObject } from '../order/order.ts';
import { documentFaults, issueOfObject } from '../validation/objects/document-issues.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { mergeUserValues } from '../values/user.ts';
import { type ReleaseOptions, releaseChecks, renderRelease, renderWith, userValuesOf } from './chart.ts';
import type { CoverageCase } from './coverage.ts';
import { tracedObjectsOf } from './explain.ts';

/** Options of `generateCases`. */
export interface GenerateCasesOptions {
  /** The existing cases of the chart. Default: none; what the defaults reach counts as reached. */
  readonly cases?: readonly CoverageCase[] | undefined;
  /** How all generated cases are rendered; their values override its values. Default: as in `helm template`. */
  readonly release?: ReleaseOptions | undefined;
  /** Whether the templates of sub-charts count. Default false. */
  readonly subcharts?: boolean | undefined;
  /** Maximum number of renderings. Default 3000. */
  readonly maxRenderings?: number | undefined;
  /** Maximum time in seconds; the result then depends on the machine. Default: no limit. */
  readonly maxSeconds?: number | undefined;
}

/** The validation rules of `GenerateCasesOptions`. */
export const generateChecks: OptionChecks<GenerateCasesOptions> = {
  cases: listOf(membersOf<CoverageCase>({ ...releaseChecks, name: text }, ['name'])),
  release: membersOf<ReleaseOptions>(releaseChecks, []),
  subcharts: flag,
  maxRenderings: wholeNumber(1),
  maxSeconds: wholeNumber(1),
};

/** The validation rule of the options of `generateCases`. */
export const generateOptions = optionsOf<GenerateCasesOptions>(generateChecks);

/**
 * Returns the smallest set of cases that, together with the existing ones, reaches every reachable branch outcome and named template of a
 * chart. It renders the chart, determines which values decided each branch, changes them, and keeps what reaches more. The same input has
 * the same result. Throws RenderError: ARGUMENT_INVALID; a failed rendering is part of the result.
 * @example
 * const { cases, before, after } = generateCases(chart);
 * for (const { values } of cases) console.log(template(chart, { values }));
 */
export function generateCases(chart: Chart, options: GenerateCasesOptions = {}): GeneratedCases {
  checkArguments('generateCases', ['chart', chart, chartArgument], ['options', options, generateOptions]);
  return searchCases(chart, options, objectChecks(chart, options));
}

/** Implements `generateCases`. `objects` validates the objects of renderings. Default: no validation. */
export function searchCases(
  chart: Chart,
  {
    cases = defaultCases,
    release = {},
    subcharts = false,
    maxRenderings = 3000,
    maxSeconds = Infinity,
  }: GenerateCasesOptions,
  objects?: ObjectChecks,
): GeneratedCases {
  return generate(chart, existingSettings(cases, release), {
    subcharts,
    limits: { renderings: maxRenderings, seconds: maxSeconds },
    render: (settings, { runs, reads }) =>
      renderWith(chart, { ...release, host: seededHost(), ...settings }, { runs, reads }),
    objects,
  });
}

const defaultCases: readonly CoverageCase[] = [{ name: 'defaults' }];

/** Size of the cache of parsed documents in characters. Most renderings of a search share most documents. */
const readDocuments = { total: 20_000_000, each: 1_000_000 };

function objectChecks(chart: Chart, { cases = defaultCases, release = {} }: GenerateCasesOptions): ObjectChecks {
  const known = new LruCache<readonly GoMap[]>(readDocuments);
  const read = ({ path, content }: SourcedDocument): readonly GoMap[] =>
    known.get(content, () => {
      try {
        return readObjects({ path, content });
      } catch (error) {
        if (error instanceof RenderError) return []; // Helm renders charts whose files in crds/ are not YAML.
        throw error;
      }
    });
  const helm = helmOf(release.helm);
  const isGenerated = (one: CoverageCase): boolean =>
    userValuesOf(one).valuesFiles.some(({ text: file }) => isGeneratedFile(file));
  return {
    faultsOf: ({ crds, manifests, hooks }, settings) => {
      const { version: kubeVersion } = createCapabilities({ ...release, ...settings, helm }).kubeVersion;
      const faults = documentFaults([...crds, ...manifests, ...hooks], { kubeVersion, read });
      return faults.filter(({ fault }) => fault.kind !== 'deprecated');
    },
    issueOf: (fault, settings) => {
      const traced = renderRelease(chart, { ...release, host: seededHost(), ...settings, trace: true });
      return issueOfObject(fault, { validate: 'strict', traces: tracedObjectsOf(traced) });
    },
    generated: new Set(cases.flatMap((one, at) => (isGenerated(one) ? [at] : []))),
  };
}

/** Returns the options of existing cases merged with `release`. */
export function existingSettings(cases: readonly CoverageCase[], release: ReleaseOptions): CaseSettings[] {
  const helm = helmOf(release.helm);
  return cases.map((one) => {
    const { kubeVersion = '', apiVersions = [], isUpgrade } = one;
    return {
      values: plainValue(mergeUserValues(userValuesOf(one), helm)) as JsonObject,
      ...(kubeVersion !== '' && kubeVersion !== release.kubeVersion && { kubeVersion }),
      ...(apiVersions.length > 0 && { apiVersions }),
      ...(isUpgrade === true && { isUpgrade }),
    };
  });
}

const caseArgument = having<GeneratedCase>('a case that generateCases returned', {
  values: jsonObject,
  kubeVersion: optional(text),
  apiVersions: optional(listOf(text)),
  reaches: listOf(having<BranchOutcome>('an outcome', { path: text, line: wholeNumber(1), text, outcome: text })),
});

/**
 * Formats a case as a values file, with comments that say what it reaches. `drydock coverage` and `drydock snapshot` read the comments that
 * begin with `# drydock:`, which contain what values cannot express. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * generateCases(chart).cases.forEach((one, at) => writeFileSync(`ci/generated-${at}-values.yaml`, formatCase(one)));
 */
export function formatCase(one: GeneratedCase): string {
  checkArguments('formatCase', ['case', one, caseArgument]);
  return valuesFileOf(one);
}

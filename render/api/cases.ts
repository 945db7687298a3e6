// Generates cases that reach every branch of a chart; derives a schema, a table of values and the list of images.

import { type GeneratedCase, type GeneratedCases, generate, isGeneratedFile, valuesFileOf } from '../cases/generate.ts';
import {
  type ChartImage,
  chartImages,
  type ImageReference,
  type ImageUse,
  imagesIn,
  parseReference,
} from '../cases/images.ts';
import { CaseWatch } from '../cases/observe.ts';
import type { BranchOutcome } from '../cases/outcomes.ts';
import { dependencyValues } from '../cases/proposals.ts';
import { inferredSchema, valuesTable } from '../cases/schema.ts';
import { type CaseSettings, failureOf, type ObjectChecks } from '../cases/search.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { plainValue } from '../codec/plain.ts';
import {
  checkArguments,
  either,
  flag,
  having,
  isMembers,
  jsonObject,
  listOf,
  membersOf,
  type OptionChecks,
  optional,
  optionsOf,
  text,
  wholeNumber,
} from '../core/arguments.ts';
import { attempt } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { memoBy } from '../core/lazy.ts';
import { LruCache } from '../core/lru-cache.ts';
import type { Steps } from '../core/paths.ts';
import type { RenderedPackages } from '../engine/packages.ts';
import { withFewPrimes } from '../engine/randomness.ts';
import type { GoMap } from '../go/value.ts';
import { helmOf } from '../helm/versions.ts';
import { readObjects } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import type { JsonObject } from '../order/order.ts';
import { documentFaults, issueOfObject } from '../validation/objects/document-issues.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { valueDescriber } from '../values/describe.ts';
import { mergeUserValues } from '../values/user.ts';
import { objectOf, type ReleaseOptions, releaseChecks, renderRelease, renderWith, userValuesOf } from './chart.ts';
import type { CoverageCase } from './coverage.ts';
import { tracedObjectsOf } from './explain.ts';

/** Options of `generateCases`. */
export interface GenerateCasesOptions {
  /** The existing cases of the chart. Default: none; what the defaults reach counts as reached. */
  readonly cases?: readonly CoverageCase[] | undefined;
  /** How all generated cases are rendered; their values override its values. Default: as in `helm template`. */
  readonly release?: ReleaseOptions | undefined;
  /** Whether the templates of subcharts count. Default false. */
  readonly subcharts?: boolean | undefined;
  /** Maximum number of renderings. Default 3000. */
  readonly maxRenderings?: number | undefined;
  /** Maximum time in seconds; the result then depends on the machine. Default: no limit. */
  readonly maxSeconds?: number | undefined;
}

/** The validation rules of `GenerateCasesOptions`. */
const generateChecks: OptionChecks<GenerateCasesOptions> = {
  cases: listOf(membersOf<CoverageCase>({ ...releaseChecks, name: text }, ['name'])),
  release: membersOf<ReleaseOptions>(releaseChecks, []),
  subcharts: flag,
  maxRenderings: wholeNumber(1),
  maxSeconds: wholeNumber(1),
};

/** The validation rule of the options of `generateCases`. */
const generateOptions = optionsOf<GenerateCasesOptions>(generateChecks);

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
function searchCases(
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
      renderWith(chart, { ...release, host: withFewPrimes(seededHost()), ...settings }, { runs, reads }),
    objects,
  });
}

const defaultCases: readonly CoverageCase[] = [{ name: 'defaults' }];

/** Size of the cache of parsed documents in characters. Most renderings of a search share most documents. */
const readDocuments = { total: 20_000_000, each: 1_000_000 };

function objectChecks(chart: Chart, { cases = defaultCases, release = {} }: GenerateCasesOptions): ObjectChecks {
  const known = new LruCache<readonly GoMap[]>(readDocuments);
  const read = ({ path, content }: SourcedDocument): readonly GoMap[] =>
    // Helm renders charts whose files in crds/ are not YAML.
    known.get(content, () => attempt(() => readObjects({ path, content }), RenderError, []));
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
      const traced = renderRelease(chart, { ...release, host: withFewPrimes(seededHost()), ...settings, trace: true });
      return issueOfObject(fault, { validate: 'strict', traces: tracedObjectsOf(traced) });
    },
    generated: new Set(cases.flatMap((one, at) => (isGenerated(one) ? [at] : []))),
  };
}

/** Returns the options of existing cases merged with `release`. */
function existingSettings(cases: readonly CoverageCase[], release: ReleaseOptions): CaseSettings[] {
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

/** Options of `valuesSchema`. */
export interface ValuesSchemaOptions extends GenerateCasesOptions {
  /** Whether unknown keys are refused. Default false. */
  readonly strict?: boolean | undefined;
}

const schemaOptions = optionsOf<ValuesSchemaOptions>({ ...generateChecks, strict: flag });

/**
 * Returns a JSON Schema (draft 7) for a chart's `values.schema.json`: types from the defaults and from what the templates accept,
 * descriptions from the comments. It accepts the given cases and those of `generateCases`, and refuses types that make the templates fail.
 * Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('values.schema.json', JSON.stringify(valuesSchema(chart), undefined, 2));
 */
export function valuesSchema(chart: Chart, options: ValuesSchemaOptions = {}): JsonObject {
  checkArguments('valuesSchema', ['chart', chart, chartArgument], ['options', options, schemaOptions]);
  const { strict = false, maxSeconds, ...search } = options;
  const started = performance.now();
  // An existing schema must not influence the new one.
  const release = { ...search.release, skipSchemaValidation: true };
  const existing = existingSettings(search.cases ?? [], release);
  // The search leaves time to try other types.
  const { cases } = searchCases(chart, { ...search, release, maxSeconds: maxSeconds && Math.ceil(maxSeconds / 2) });
  const missing = new Map<string, Steps>();
  const renders = (values: JsonObject): boolean => {
    // Types that there is no time to try are accepted.
    if (maxSeconds !== undefined && performance.now() - started > maxSeconds * 1000) return true;
    const { runs, reads, missing: own } = new CaseWatch();
    const failure = failureOf(() =>
      renderWith(chart, { ...release, values, host: withFewPrimes(seededHost()) }, { runs, reads }),
    );
    for (const [key, path] of own) missing.set(key, path);
    return failure === undefined;
  };
  const samples = [...existing, ...cases].map(({ values }) => values);
  const [base] = [{}, ...samples].filter(renders);
  const describe = valueDescriber(chart);
  return inferredSchema({ chart, samples, missing: [...missing.values()], isStrict: strict, describe, base, renders });
}

/**
 * Returns the values of a chart as a Markdown table: key, type, default and description from comments or schema. Throws RenderError:
 * ARGUMENT_INVALID.
 */
export function formatValuesTable(chart: Chart): string {
  checkArguments('formatValuesTable', ['chart', chart, chartArgument]);
  return valuesTable(chart);
}

/** An image that objects refer to. */
export interface ObjectImage extends ImageReference {
  /** For an Order: the release of the package. */
  readonly package?: string;
  readonly uses: readonly ImageUse[];
}

const rendered = either(
  (value) => isMembers(value) && 'packages' in value,
  having<Pick<RenderedPackages, 'packages'>>('what renderOrder gave', {
    packages: listOf(having('a rendered package', {})),
  }),
  listOf(jsonObject),
);

/**
 * Returns the images in objects or in the packages of an Order: in fields named `image` or ending in `Image`, and in arguments and
 * environment variables of containers. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const { objects, hooks } = renderRelease(chart);
 * const images = listImages([...objects, ...hooks].map(({ object }) => object)).map(({ reference }) => reference);
 */
export function listImages(objects: readonly JsonObject[] | Pick<RenderedPackages, 'packages'>): ObjectImage[] {
  checkArguments('listImages', ['objects', objects, rendered]);
  if (!('packages' in objects)) {
    return [...imagesIn(objects)].map(([reference, uses]) => ({ ...parseReference(reference), uses }));
  }
  return objects.packages.flatMap(({ release }) =>
    listImages([...release.manifests, ...release.hooks].map(objectOf)).map((image) => ({
      package: release.name,
      ...image,
    })),
  );
}

/**
 * Returns every image that a chart can use with its default image values: those of the defaults first, then those of cases from
 * `generateCases`, each with the smallest values that use it. Throws RenderError: ARGUMENT_INVALID, or why the defaults fail if no values
 * render.
 * @example
 * for (const { reference, when } of chartImages(chart)) console.log(reference, JSON.stringify(when.values));
 */
export function listChartImages(chart: Chart, options: GenerateCasesOptions = {}): ChartImage[] {
  checkArguments('listChartImages', ['chart', chart, chartArgument], ['options', options, generateOptions]);
  const existing = existingSettings(options.cases ?? [], options.release ?? {});
  const { cases } = searchCases(chart, { subcharts: true, ...options });
  const switched = dependencyValues(chart).map((values): CaseSettings => ({ values }));
  const generated = cases.map(({ reaches, ...settings }): CaseSettings => settings);
  const objectsFor = (settings: CaseSettings): JsonObject[] => {
    const { objects, hooks } = renderRelease(chart, {
      ...options.release,
      host: withFewPrimes(seededHost()),
      ...settings,
    });
    return [...objects, ...hooks].map(({ object }) => object);
  };
  const render = memoBy(
    (settings: CaseSettings) => JSON.stringify(settings),
    (settings) => attempt(() => objectsFor(settings), RenderError, undefined),
  );
  const settings = [...existing, ...switched, ...generated];
  // Nothing is known of the images of a chart that never renders.
  if ([{ values: {} }, ...settings].every((one) => render(one) === undefined)) objectsFor({ values: {} });
  return chartImages(settings, render);
}

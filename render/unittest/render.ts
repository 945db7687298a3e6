// Renders for a test like helm-unittest, including its choice of templates and its handling of errors.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_job.go and deep_copy.go; helm.sh/helm/v3 v3.20.2, which it is built with.

import type { Chart, ChartFile } from '../chart/chart.ts';
import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';
import { renderTemplates } from '../engine/engine.ts';
import { releaseNameError } from '../engine/release.ts';
import { base, join } from '../go/path.ts';
import { compareStrings, GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { member } from '../manifest/objects.ts';
import { composeValues } from '../values/compose.ts';
import type { SchemaSource } from '../values/schema/refs.ts';
import type { FakeCluster, SuitePostRenderer, TestJob, TestSuite } from './suite.ts';
import { showYaml } from './yaml.ts';

/** The Helm version that helm-unittest is built with, as a library: Kubernetes is 1.20 unless a suite specifies another version. */
export const helmOfUnittest: Helm = {
  ...helmOf('3.20.2'),
  version: 'v3.20',
  build: { version: 'v3.20', gitCommit: '', goVersion: 'go1.26.0' },
  kubeVersion: { version: 'v1.20.0', normalized: 'v1.20.0', major: '1', minor: '20' },
};

export interface RenderContext {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly host: Host;
  readonly skipSchemaValidation: boolean;
  readonly schemas?: SchemaSource | undefined;
  /** The Kubernetes version of a test without one; in helm-unittest each test changes it for those that follow. */
  readonly kube: { major: string; minor: string };
}

export interface RenderedFiles {
  /** The rendered chart with processed dependencies. */
  readonly chart: Chart;
  /** Texts by path; for a failure the failing file, with the error as `raw`. */
  readonly files: ReadonlyMap<string, string>;
  readonly succeeded: boolean;
  /** The error of a rendering without files. */
  readonly error: string | undefined;
  /** The templates that are asserted by default. */
  readonly templates: readonly string[];
}

/** Renders the selected templates of a suite for one of its tests. */
export function renderTest(suite: TestSuite, job: TestJob, context: RenderContext): RenderedFiles {
  const { chart, values, kube, skipSchemaValidation, schemas } = context;
  const templates = suite.templates.length > 0 ? suite.templates : ['**'];
  const failed = (error: string, names: readonly string[], of = chart): RenderedFiles => ({
    chart: of,
    files: new Map(),
    succeeded: false,
    error,
    templates: names,
  });
  const { release, capabilities, cluster } = job;
  const nameError = release.name === '' ? undefined : releaseNameError(release.name);
  if (nameError !== undefined) return failed(nameError, suite.templates);
  kube.major = capabilities.majorVersion || kube.major;
  kube.minor = capabilities.minorVersion || kube.minor;
  let composed: ReturnType<typeof composeValues>;
  try {
    composed = composeValues(chart, values, { skipSchemaValidation, schemas, helm: helmOfUnittest });
  } catch (error) {
    return failed(suiteFailure(error), suite.templates);
  }
  const chosen = chooseTemplates(composed.chart, {
    chartRoute: suite.chartRoute,
    templates,
    excluded: suite.excludeTemplates,
  });
  const version = `v${kube.major}.${kube.minor}.0`;
  try {
    const files = renderTemplates(
      { chart: withVersions(chosen, job.chart), values: composed.values },
      {
        release: { ...release, name: release.name || 'RELEASE-NAME', namespace: release.namespace || 'NAMESPACE' },
        capabilities: {
          kubeVersion: { version, normalized: version, ...kube },
          apiVersions: capabilities.apiVersions ?? [],
        },
        helm: helmOfUnittest,
        host: { ...context.host, lookup: lookupIn(cluster) },
      },
    );
    return { chart: composed.chart, files, succeeded: true, error: undefined, templates };
  } catch (error) {
    const message = suiteFailure(error);
    const parts = job.assertions.every(({ needsSuccess }) => needsSuccess) ? undefined : partsOf(message);
    if (parts === undefined) return failed(message, templates, composed.chart);
    const text = showYaml(new Map([['raw', parts.content]]));
    const names = base(parts.file).startsWith('_')
      ? templates.map((name) => join(suite.chartRoute, templatePath(name)))
      : [parts.file];
    const files = new Map(names.map((name) => [name, text]));
    return { chart: composed.chart, files, succeeded: false, error: undefined, templates };
  }
}

/** Returns the message of a user error; throws any other error. */
export function suiteFailure(error: unknown): string {
  if (error instanceof RenderError || error instanceof GoError) return error.message;
  throw error;
}

// The version and app version of a test apply to the chart and its direct subcharts.
function withVersions(chart: Chart, { version, appVersion }: TestJob['chart']): Chart {
  if (version === '' && appVersion === '') return chart;
  const renamed = (one: Chart): Chart => ({
    ...one,
    metadata: {
      ...one.metadata,
      version: version || one.metadata.version,
      appVersion: appVersion || one.metadata.appVersion,
    },
  });
  return { ...renamed(chart), children: chart.children.map(renamed) };
}

// The file in an error, and the message after the place. helm-unittest extracts both with one non-greedy pattern: the text after the first
// `>: ` or, without one, after the first `: `.
function partsOf(message: string): { readonly file: string; readonly content: string } | undefined {
  const place = placeIn(message, ': ') ?? placeIn(message, ' (');
  if (place === undefined) return undefined;
  const file = message.slice(place.start, place.end);
  const newline = message.indexOf('\n');
  if (newline >= 0) return { file, content: message.slice(newline + 1) };
  const { rest } = place;
  if (rest.startsWith(': ', 1)) return { file, content: rest.slice(3) };
  const arrow = rest.indexOf('>: ', 2);
  const start = arrow >= 0 && arrow + 3 < rest.length ? arrow + 3 : rest.indexOf(': ', 1) + 2;
  return { file, content: rest.slice(start) };
}

// The range of the file name whose line and column are the first ones after an opening, if a text follows them.
function placeIn(
  message: string,
  opening: string,
): { readonly start: number; readonly end: number; readonly rest: string } | undefined {
  const at = message.indexOf(opening, 1);
  if (at < 0) return undefined;
  const start = at + opening.length;
  const found = /:\d+:\d/.exec(message.slice(start + 1));
  if (found === null) return undefined;
  const end = start + 1 + found.index;
  const rest = message.slice(end + found[0].length);
  const colon = rest.indexOf(': ', 1);
  return colon < 0 || colon + 2 === rest.length ? undefined : { start, end, rest };
}

const fileMark = '---\n#### file:';

/** Runs a post-renderer on files as one text. Throws GoError. */
export function postRenderSuite(
  files: ReadonlyMap<string, string>,
  renderer: SuitePostRenderer,
  run: (renderer: SuitePostRenderer, text: string) => string,
): ReadonlyMap<string, string> {
  const sorted = [...files].sort(([a], [b]) => compareStrings(a, b));
  const output = run(renderer, sorted.map(([path, text]) => `${fileMark} ${path}\n${text.trim()}\n`).join(''));
  const rendered = new Map<string, string>();
  for (const block of output.split(/(?=---\n#### file:)/)) {
    const [line, path] = /#### file: (.*)/.exec(block) ?? [];
    if (line === undefined || path === undefined) continue;
    const start = `---\n${line}\n`;
    rendered.set(path, block.startsWith(start) ? block.slice(start.length) : block);
  }
  // Output without file names is one file.
  return rendered.size > 0 ? rendered : new Map([['manifest.yaml', output]]);
}

// The fake cluster of a suite for `lookup`.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, k8s_fake_client.go; k8s.io/client-go, dynamic/fake and testing/fixture.go.

type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => GoMap | undefined;

function lookupIn({ scheme, objects }: FakeCluster): Lookup {
  if (objects.length === 0) return () => undefined;
  return (apiVersion, kind, namespace, name) => {
    const known = scheme.get(`${apiVersion}/${kind}`);
    const at = known?.namespaced === true ? namespace : '';
    const wanted = known === undefined ? '//' : `${known.group}/${known.version}/${known.resource}`;
    const found = objects.filter((object) => resourceOf(object) === wanted);
    if (name !== '') {
      return found.find((object) => metadataOf(object, 'namespace') === at && metadataOf(object, 'name') === name);
    }
    if (found.length === 0) return undefined;
    const items = found.filter((object) => at === '' || metadataOf(object, 'namespace') === at);
    const keyOf = (object: GoMap): string => `${metadataOf(object, 'namespace')}/${metadataOf(object, 'name')}`;
    return new Map<string, GoValue>([
      ['apiVersion', apiVersion],
      ['kind', `${kind}List`],
      [
        'metadata',
        new Map([
          ['continue', ''],
          ['resourceVersion', ''],
        ]),
      ],
      ['items', items.sort((a, b) => compareStrings(keyOf(a), keyOf(b)))],
    ]);
  };
}

// As in Kubernetes' libraries, a name that is not a string is empty.
function textAt(value: GoValue, key: string): string {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
}

function metadataOf(object: GoMap, key: string): string {
  return textAt(member(object, 'metadata'), key);
}

// Group, version and the plural that Kubernetes guesses for a kind.
function resourceOf(object: GoMap): string {
  const apiVersion = textAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}/${pluralOf(textAt(object, 'kind').toLowerCase())}`;
}

function pluralOf(kind: string): string {
  if (kind.endsWith('endpoints')) return kind;
  if (kind.endsWith('s')) return `${kind}es`;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** Returns the path of a template below its chart: names without a folder are in `templates/`. */
export function templatePath(name: string): string {
  return /^(?:templates|charts|crds|\*\*)/.test(name) ? name : join('templates', name);
}

/** Which parts of a chart tree to render. */
interface TemplateChoice {
  /** The chart that the names refer to, such as `parent/charts/child`. */
  readonly chartRoute: string;
  readonly templates: readonly string[];
  readonly excluded: readonly string[];
}

/** Returns a chart tree with only the selected templates, and the partials of all its charts. */
function chooseTemplates(chart: Chart, choice: TemplateChoice): Chart {
  const patternsOf = (names: readonly string[]): readonly RegExp[] =>
    names.flatMap((name) => patternOf(join(choice.chartRoute, templatePath(name))) ?? []);
  return choose(chart, chart.metadata.name, [patternsOf(choice.templates), patternsOf(choice.excluded)]);
}

type Patterns = readonly [chosen: readonly RegExp[], excluded: readonly RegExp[]];

function choose(chart: Chart, route: string, [chosen, excluded]: Patterns): Chart {
  const isChosen = ({ name }: ChartFile): boolean => {
    if (base(name).startsWith('_')) return true;
    const path = join(route, name);
    return chosen.some((pattern) => pattern.test(path)) && !excluded.some((pattern) => pattern.test(path));
  };
  return {
    ...chart,
    templates: chart.templates.filter(isChosen),
    children: chart.children.map((child) =>
      choose(child, join(route, 'charts', child.metadata.name), [chosen, excluded]),
    ),
  };
}

// The pattern can match anywhere in the path of a template.
function patternOf(name: string): RegExp | undefined {
  const pattern = name
    .replace(/[.+?()|{}^$[\]]/g, '\\$&')
    .replaceAll('**', '[0-9a-zA-Z_\\-/.]+')
    .replaceAll('*', '[0-9a-zA-Z_\\-/.]*');
  try {
    return new RegExp(pattern);
  } catch {
    // A backslash in a name makes an invalid pattern, which matches nothing.
    return undefined;
  }
}

// The available charts, as data for the console: bundled ones, and those in folders.

import type { Chart, ChartRef } from '../../render/index.ts';
import { encodeBase64 } from '../keys/base64.ts';
import type { Json, JsonObject } from '../store/json.ts';

/** A chart found in a folder, or an unreadable file that looks like one. */
export interface ListedChart {
  readonly sourceRef: ChartRef['sourceRef'];
  /** Whether it was dropped onto the page. */
  readonly isDropped?: boolean | undefined;
  readonly chart?: Chart;
  readonly fault?: string;
}

/** Returns the list of charts as JSON, sorted by name; one of a folder hides a bundled one with the same name and version. */
export function formatCharts(samples: readonly Chart[], found: readonly ListedChart[]): JsonObject[] {
  const keyOf = ({ metadata }: Chart): string => `${metadata.name} ${metadata.version}`;
  const known = new Set(found.flatMap(({ chart }) => (chart ? [keyOf(chart)] : [])));
  const shipped = samples
    .filter((chart) => !known.has(keyOf(chart)))
    .map((chart): ListedChart => ({ chart, sourceRef: { kind: 'Embed', name: chart.metadata.name } }));
  const entries = [...found, ...shipped].map(chartEntry);
  return entries.sort((a, b) => (String(a.name) < String(b.name) ? -1 : String(a.name) > String(b.name) ? 1 : 0));
}

export function chartEntry({ chart, sourceRef, isDropped, fault = '' }: ListedChart): JsonObject {
  const source: JsonObject = { ...sourceRef };
  if (chart === undefined) return { name: sourceRef.name, version: '', sourceRef: source, fault };
  const { name, version, appVersion, description, type, deprecated, kubeVersion, home, keywords } = chart.metadata;
  const icon = iconOf(chart);
  return {
    name,
    version,
    appVersion,
    description,
    type: type || 'application',
    deprecated,
    kubeVersion,
    home,
    keywords: [...keywords],
    ...(icon !== undefined && { icon }),
    hasSchema: chart.schema !== undefined,
    ...(isDropped && { dropped: true }),
    sourceRef: source,
  };
}

const iconTypes: Readonly<Record<string, string>> = {
  svg: 'svg+xml',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
  ico: 'x-icon',
};
// Keeps lists of some hundred charts small.
const mostIconBytes = 32 * 1024;
const iconUri = new RegExp(`^data:image/(?:${Object.values(iconTypes).join('|').replaceAll('+', '\\+')})[;,]`, 'i');

/**
 * Returns a chart's icon as a `data:` URL, if it is in its Chart.yaml or in one of its files. Undefined for all others: most are URLs of
 * other hosts, and showing a list must not send requests to them.
 */
function iconOf({ metadata: { icon }, files }: Chart): string | undefined {
  if (iconUri.test(icon)) return icon.length > mostIconBytes ? undefined : icon;
  const path = icon.replace(/^(?:\.\/)+/, '');
  const type = iconTypes[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  const file = type === undefined ? undefined : files.find(({ name }) => name === path);
  if (file === undefined || file.data.length > mostIconBytes) return undefined;
  return `data:image/${type};base64,${encodeBase64(file.data)}`;
}

/** Returns a chart as JSON: its values and schema, those of its subcharts, README and dependencies, and optionally its templates. */
export function chartJson(chart: Chart, { templates }: { readonly templates: boolean }): JsonObject {
  const { metadata, children, files } = chart;
  const readme = files.find(({ name }) => /^readme\.md$/i.test(name));
  return {
    name: metadata.name,
    version: metadata.version,
    ...valuesJson(chart),
    readme: readme === undefined ? '' : textOf(readme.data),
    dependencies: metadata.dependencies.map(({ name, version, repository, condition, alias }) => ({
      name,
      version,
      repository,
      condition,
      alias,
      isHere: children.some((child) => child.metadata.name === name),
    })),
    ...(templates && { templates: chart.templates.map(({ name, data }) => ({ name, text: textOf(data) })) }),
  };
}

// Maximum nesting of subcharts.
const deepest = 6;

function valuesJson({ metadata, schema, valuesData, children }: Chart, depth = 0): JsonObject {
  const declared = metadata.dependencies.flatMap(({ name, alias }) => {
    const child = children.find((one) => one.metadata.name === name);
    return child === undefined ? [] : [{ name: alias || name, child }];
  });
  const others = children
    .filter((child) => !declared.some((one) => one.child === child))
    .map((child) => ({ name: child.metadata.name, child }));
  const below = depth < deepest ? [...declared, ...others] : [];
  return {
    values: valuesData === undefined ? '' : textOf(valuesData),
    schema: schema === undefined ? null : schemaOf(schema),
    charts: below.map(({ name, child }) => ({ name, ...valuesJson(child, depth + 1) })),
  };
}

// An invalid schema is reported when the chart is rendered, with its place.
function schemaOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(textOf(bytes)) as Json;
  } catch {
    return null;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

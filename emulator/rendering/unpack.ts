// Recognizes uploaded files: charts in archives and folders, bundles, Orders, values.

import { parseIgnoreRules } from '../../render/chart/ignore.ts';
import { type Chart, loadArchive, loadChart, openBundle, RenderError, readOrder } from '../../render/index.ts';
import { decodeBase64 } from '../keys/base64.ts';
import type { UnpackedFiles } from './renderer.ts';

/** A file with its path in the upload; for a single file, its name. */
interface HandedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

type Found = { readonly [Kind in keyof UnpackedFiles]: UnpackedFiles[Kind][number][] };

/** Recognizes the files in a JSON body: `{"files": [{"path", "data"}]}`, `data` in base64. Throws ORDER_INVALID. */
export async function unpackFiles(body: Uint8Array): Promise<UnpackedFiles> {
  const files = readFiles(body);
  const found: Found = { charts: [], orders: [], values: [], refused: [] };
  const roots = chartFolders(files);
  for (const root of roots) {
    const name = root === '' ? 'chart' : root.replace(/\/$/, '');
    await refusing(name, found, () => {
      const chart = loadFolder(files, root);
      found.charts.push({ chart, sourceRef: { kind: 'Local', name } });
    });
  }
  const isAlone = files.length === 1;
  for (const file of files) {
    if (roots.some((root) => file.path.startsWith(root))) continue;
    await refusing(file.path, found, () => sortFile(file, found, isAlone));
  }
  return found;
}

function readFiles(body: Uint8Array): readonly HandedFile[] {
  try {
    const { files } = JSON.parse(new TextDecoder().decode(body)) as { files: { path: string; data: string }[] };
    return files.map(({ path, data }) => ({ path: path.replace(/^\/+/, ''), bytes: decodeBase64(data) }));
  } catch (cause) {
    throw new RenderError('ORDER_INVALID', 'the body is not a list of files', {
      cause,
      hint: 'Send {"files": [{"path": "web-1.0.0.tgz", "data": "…"}]}, with each file in base64.',
    });
  }
}

async function refusing(name: string, { refused }: Found, run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
  } catch (failure) {
    if (!(failure instanceof RenderError)) throw failure;
    const { message, hint } = failure;
    refused.push({ name, message, ...(hint !== undefined && { hint }) });
  }
}

// Folders with a Chart.yaml, without those of subcharts.
function chartFolders(files: readonly HandedFile[]): readonly string[] {
  const roots = files
    .filter(({ path }) => /(?:^|\/)Chart\.yaml$/.test(path))
    .map(({ path }) => path.slice(0, -'Chart.yaml'.length))
    .sort((a, b) => a.length - b.length);
  return roots.filter((root, index) => !roots.slice(0, index).some((above) => root.startsWith(above)));
}

// As from disk: in Helm's order, without files excluded by .helmignore.
function loadFolder(files: readonly HandedFile[], root: string): Chart {
  const inside = files
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, bytes }) => ({ steps: path.slice(root.length).split('/'), bytes }))
    .sort((a, b) => compareSteps(a.steps, b.steps));
  const rules = inside.find(({ steps }) => steps.join('/') === '.helmignore');
  const isIgnored = parseIgnoreRules(rules === undefined ? '' : new TextDecoder().decode(rules.bytes));
  const kept = inside.filter(
    ({ steps }) => !steps.some((_, index) => isIgnored(steps.slice(0, index + 1).join('/'), index < steps.length - 1)),
  );
  return loadChart(new Map(kept.map(({ steps, bytes }) => [steps.join('/'), bytes])));
}

function compareSteps(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  const [one, other] = [a[at] ?? '', b[at] ?? ''];
  return at < 0 || one < other ? -1 : 1;
}

async function sortFile({ path, bytes }: HandedFile, found: Found, isAlone: boolean): Promise<void> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return sortArchive({ path, bytes }, found);
  if (/\.(?:ya?ml|json)$/i.test(path)) return sortText(path, new TextDecoder().decode(bytes), found);
  // A folder contains other files beside charts and Orders.
  if (isAlone)
    throw new RenderError('CHART_INVALID', 'this is not a chart, an Order, values or a bundle', { hint: handOver });
}

const handOver =
  'Hand over a chart as archive or folder, an Order or values as YAML or JSON, or what `drydock bundle` wrote.';

async function sortArchive({ path, bytes }: HandedFile, found: Found): Promise<void> {
  let bundle: ReturnType<typeof openBundle> | undefined;
  try {
    bundle = openBundle(bytes);
  } catch {
    // Then it is a chart, or the chart's error says what is wrong.
  }
  if (bundle === undefined) {
    found.charts.push({ chart: loadArchive(bytes), sourceRef: { kind: 'Local', name: path } });
    return;
  }
  const urls = (bundle.lock.schemas ?? []).map(({ url }) => url);
  const schemas = Object.fromEntries(urls.map((url) => [url, bundle.schemas(url) ?? '']));
  for (const { source, name, asked } of bundle.lock.charts) {
    const sourceRef = { name: source };
    const chart = await bundle.registry.resolve({ name, version: asked, sourceRef });
    found.charts.push({ chart, sourceRef, ...(urls.length > 0 && { schemas }) });
  }
  found.orders.push({ name: path, text: bundle.order });
}

function sortText(name: string, text: string, found: Found): void {
  // An incomplete text is opened too: the page shows what is wrong, and where.
  if (/^[ \t\ufeff]*["']?(?:kind["']?\s*:\s*["']?Order\b|packages["']?\s*:)/m.test(text)) {
    found.orders.push({ name, text });
    return;
  }
  const { value } = readOrder(text, name);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMap && !('apiVersion' in value && 'kind' in value)) found.values.push({ name, text });
  else throw new RenderError('ORDER_INVALID', 'it contains neither an Order nor values', { hint: handOver });
}

// What the `render` and `check` commands share: the Order's text, where its charts are, and how its issues are told.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { directoryRegistry, pathOfChart } from '../../../render/chart/registry.node.ts';
import { type ChartRef, chainRegistries, notFound, type Registry } from '../../../render/chart/registry.ts';
import { type Issue, RenderError } from '../../../render/errors.ts';
import { GoError } from '../../../render/go/value.ts';
import { realHost, seededHost } from '../../../render/host.ts';
import { isUrl } from '../../../render/order/names.ts';
import { formatIssue, type OrderText, readOrder } from '../../../render/order/read.ts';
import { PackageError, type PlanOptions, type RenderedPackage } from '../../../render/plan.ts';
import { askMeant } from '../../suggest.ts';
import type { ParsedFlags } from '../flags.ts';
import { askMeantPath, namesIn } from '../inputs.node.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { packageFolder } from '../own-files.node.ts';
import { readTextFile } from './read.node.ts';

/** An Order's text, and what rendering it needs. */
export interface OrderInput {
  readonly text: OrderText;
  readonly options: PlanOptions;
  /** Gives the absolute path of a chart that lies on this machine by the Order's own words; undefined for others. */
  readonly pathOf: (item: RenderedPackage) => string | undefined;
}

/** Reads the Order in a file, `-` for standard input. Throws ORDER_INVALID where it cannot be read. */
export async function readOrderFile(name: string, flags: ParsedFlags, io: CommandIo): Promise<OrderInput> {
  const text = name === '-' ? await io.stdin() : readFile(name, io.cwd);
  const folder = name === '-' ? io.cwd : dirname(resolve(io.cwd, name));
  const bases = [...flags.list('charts').map((path) => chartsFolder(path, io.cwd)), folder, io.cwd];
  const seed = flags.text('seed');
  return {
    text: readOrder(text, name === '-' ? '<stdin>' : name),
    options: {
      registry: chartsIn(bases),
      host: seed === undefined ? realHost(io.env.TZ) : seededHost({ seed }),
      kubeVersion: flags.text('kube-version'),
      apiVersions: flags.list('api-versions'),
      skipSchemaValidation: flags.on('skip-schema-validation'),
      onWarning: (line) => io.stderr(`${line}\n`),
    },
    pathOf: ({ selection, chart }) => (isUrl(selection.chart.sourceRef.name) ? undefined : pathOfChart(chart)),
  };
}

/** Tells issues on standard error, one line each, with their places. */
export function tellIssues(issues: readonly Issue[], text: OrderText, io: CommandContext): void {
  for (const issue of issues) {
    const paint = issue.severity === 'error' ? io.err.red : io.err.yellow;
    const line = formatIssue(issue, text.placeOf(issue.path));
    io.stderr(`${line.replace(/: (?:error|warning): /, (word) => paint(word))}\n`);
  }
}

/**
 * Tells a failure on standard error and gives the exit code. `subject` names the input where the failure has no place in
 * an Order. Anything but a RenderError is thrown on.
 */
export function tellFailure(error: unknown, text: OrderText | undefined, io: CommandContext, subject = ''): number {
  if (!(error instanceof RenderError)) throw error;
  if (text !== undefined && error.code === 'ORDER_INVALID' && error.issues.length > 0) {
    tellIssues(error.issues, text, io);
    return 1;
  }
  const mend = error.mend === undefined ? '' : `\n${error.mend}`;
  const isOrders = text !== undefined && error instanceof PackageError;
  const place = isOrders ? text.placeOf(error.path) : error.place;
  const isTold = place === undefined || (!isOrders && error.message.includes(place.file));
  const named = error.message.includes(subject) ? [] : [subject];
  const parts = isTold ? named : [place.file, place.line, place.column];
  const where = parts
    .filter((part) => part !== undefined)
    .map((part) => `${part}:`)
    .join('');
  io.stderr(`${io.err.red('Error:')} ${where}${where === '' ? '' : ' '}${error.message.trimEnd()}${mend}\n`);
  return 1;
}

function chartsFolder(path: string, cwd: string): string {
  const folder = resolve(cwd, path);
  if (existsSync(folder)) return folder;
  throw new RenderError('CHART_NOT_FOUND', `there is no folder ${path}${askMeantPath(path, cwd)}`, {
    mend: 'Name a folder that holds charts: --charts DIR.',
  });
}

function readFile(name: string, cwd: string): string {
  try {
    return readTextFile(name, cwd);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const chart = existsSync(join(resolve(cwd, name), 'Chart.yaml'));
    const mend = chart
      ? 'This is a chart, not an Order: `drydock template` renders it.'
      : 'Name the file of an Order, or - for standard input.';
    throw new RenderError('ORDER_INVALID', `${error.message}${askMeantPath(name, cwd)}`, { cause: error, mend });
  }
}

// The charts that ship with this program.
const embedded = join(packageFolder(), 'fixtures/charts');

function isPath({ sourceRef }: ChartRef): boolean {
  return (sourceRef.kind === 'Local' || sourceRef.kind === 'Legacy') && !isUrl(sourceRef.name);
}

// A path in an Order is the user's own word, so it may lead anywhere; all else stays within the folders of charts.
function chartsIn(bases: readonly string[]): Registry {
  const local: Registry = {
    resolve: async (ref: ChartRef) => {
      const source = ref.sourceRef.name;
      const places = isPath(ref) ? [...new Set(bases.map((base) => resolve(base, source)))] : [];
      const path = places.find((place) => existsSync(place));
      if (path === undefined) throw notFound(ref, { places, versions: [] });
      // The place itself, whichever way it holds the chart.
      return directoryRegistry([path]).resolve({ ...ref, sourceRef: { kind: 'Embed', name: source } });
    },
  };
  const embed: Registry = {
    resolve: async (ref: ChartRef) => {
      if (ref.sourceRef.kind !== 'Embed') throw notFound(ref, { places: [], versions: [] });
      return directoryRegistry([embedded]).resolve(ref);
    },
  };
  return {
    resolve: async (ref) => {
      const folders = directoryRegistry(bases);
      if (ref.sourceRef.kind === 'Embed') return chainRegistries([folders, embed]).resolve(ref);
      return chainRegistries([local, folders])
        .resolve(ref)
        .catch(async (error: unknown) => {
          if (!(error instanceof RenderError && error.code === 'CHART_NOT_FOUND')) throw error;
          // Who looked says best where.
          return (isPath(ref) ? local : folders).resolve(ref).catch((last: unknown) => {
            throw last instanceof RenderError ? withSuggestion(last, ref.name, bases) : last;
          });
        });
    },
  };
}

// A chart of another name may be meant: one that lies in the folders.
function withSuggestion(error: RenderError, name: string, bases: readonly string[]): RenderError {
  const isChart = (base: string, file: string): boolean => existsSync(join(base, file, 'Chart.yaml'));
  const names = bases.flatMap((base) => namesIn(base).filter((file) => isChart(base, file)));
  const question = names.includes(name) ? '' : askMeant(name, names);
  if (question === '') return error;
  const { code, mend, place } = error;
  return new RenderError(code, `${error.message}${question}`, {
    cause: error,
    ...(mend !== undefined && { mend }),
    ...(place !== undefined && { place }),
  });
}

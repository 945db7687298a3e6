// Values set by an Order that no template reads: usually a misspelled name.

import type { Chart, Dependency } from '../../chart/chart.ts';
import type { Issue } from '../../core/errors.ts';
import { joinPath, type Steps } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';
import type { RenderedPackage, RenderedPackages } from '../../engine/packages.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import type { PatchOperation } from '../../order/order.ts';
import { describeValue } from '../../values/describe.ts';
import { isTable } from '../../values/lookup.ts';
import { valueOfJson } from '../../values/patch.ts';
import { valueAtSteps } from '../../values/paths.ts';
import { lookupPlaces, mostWatched, type UnreadValue, unreadValues, WatchedMap } from '../../values/reads.ts';
import { note, warning } from './package.ts';

/** Returns a warning for each unread value that an Order sets. The packages' values must have been tracked. */
export function checkUnread(rendered: RenderedPackages): Issue[] {
  return rendered.packages.flatMap(checkPackage);
}

// Further values of a package are only counted. Descriptions are looked up for the first ones.
const mostReported = 10_000;
const mostDescribed = 1000;

function checkPackage(item: RenderedPackage): Issue[] {
  const { chart } = item.selection;
  const path = joinPath(item.selection.path, 'chart');
  const values = joinPath(path, 'values');
  if (item.isVast) {
    const message = `holds more than ${mostWatched} values: which of them nothing reads was not looked for`;
    return [note(values, message, 'Set fewer values to get a complete list.')];
  }
  if (!item.isWatched) return [];
  const set = unreadOf(item.chart, item.release, valueOfJson(chart.values));
  const patched = chart.valuesPatch.flatMap((operation, index) => {
    const given = patchedValue(operation);
    const [unread] = given === undefined ? [] : unreadIn(item, given.value, given.steps);
    return unread === undefined ? [] : [{ unread, path: joinPath(joinPath(path, 'valuesPatch'), index) }];
  });
  const count = set.length + patched.length;
  if (count === 0) return [];
  const lookups = lookupPlaces(item.release.values);
  const issues = [...set.slice(0, mostReported).map((unread) => ({ unread, path: pathIn(values, unread) })), ...patched]
    .slice(0, mostReported)
    .map(({ unread, path: at }, index) =>
      issueFor(item, unread, { path: at, lookups, isBrief: index >= mostDescribed }),
    );
  const more = count - issues.length;
  const rest = warning(values, `nothing reads ${more} more values`, 'Fix or remove the ones above first.');
  return more === 0 ? issues : [...issues, { ...rest, code: 'UNREAD_VALUE' }];
}

function pathIn(values: string, { steps }: UnreadValue): string {
  return steps.reduce<string>((at, step) => joinPath(at, step), values);
}

// The given values are at `steps` below the root.
function unreadIn(item: RenderedPackage, given: GoValue, steps: Steps): UnreadValue[] {
  const whole = steps.reduceRight<GoValue>((inner, step) => new Map([[String(step), inner]]), given);
  return unreadOf(item.chart, item.release, whole);
}

/** Returns the paths of given values that no template of a tracked rendering read. `chart` is the chart as it was loaded. */
export function unreadPaths(chart: Chart, release: RenderedRelease, given: GoMap): readonly Steps[] {
  return unreadOf(chart, release, given).map(({ steps }) => steps);
}

function unreadOf(source: Chart, { chart, values }: RenderedRelease, whole: GoValue): UnreadValue[] {
  const found = unreadValues(whole, [values]);
  const conditions = new Set(conditionsOf(source, ''));
  const globals = whole instanceof Map ? whole.get('global') : undefined;
  const unreadGlobals =
    globals === undefined ? [] : unreadValues(new Map([['global', globals]]), sections(chart, values));
  return [...found.filter(({ steps: [first] }) => first !== 'global'), ...unreadGlobals].flatMap((unread) =>
    withoutConditions(unread, whole, conditions),
  );
}

/** Returns the values tables of a chart and its subcharts: each has its own global values, which it may read. */
function sections(chart: Chart, values: GoMap): GoMap[] {
  const inner = chart.children.flatMap((child) => {
    const section = values instanceof WatchedMap ? Map.prototype.get.call(values, child.metadata.name) : undefined;
    return isTable(section) ? sections(child, section) : [];
  });
  return [values, ...inner];
}

// Conditions and tags are read before templates. A table that contains one is reported by its other members.
function withoutConditions(unread: UnreadValue, whole: GoValue, conditions: ReadonlySet<string>): UnreadValue[] {
  const { steps } = unread;
  const path = steps.join('.');
  if (steps[0] === 'tags' || conditions.has(path)) return [];
  if (![...conditions].some((condition) => condition.startsWith(`${path}.`))) return [unread];
  const table = valueAtSteps(whole, steps);
  if (!isTable(table)) return [unread];
  return [...table.keys()].flatMap((key) =>
    withoutConditions({ steps: [...steps, key], lookups: [] }, whole, conditions),
  );
}

function conditionsOf(chart: Chart, prefix: string): string[] {
  return chart.metadata.dependencies.flatMap((entry) => [
    ...entry.condition.split(',').map((condition) => `${prefix}${condition.trim()}`),
    ...chart.children
      .filter(({ metadata }) => metadata.name === entry.name)
      .flatMap((child) => conditionsOf(child, `${prefix}${nameOf(entry)}.`)),
  ]);
}

function nameOf({ alias, name }: Dependency): string {
  return alias || name;
}

function patchedValue(operation: PatchOperation): { readonly value: GoValue; readonly steps: Steps } | undefined {
  const { op, path, value } = operation;
  if (op === 'remove' || op === 'test') return undefined;
  const steps = path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  // An item of a list is read with its list.
  const list = steps.findIndex((step) => /^(?:-|\d+)$/.test(step));
  if (list >= 0) return { value: true, steps: steps.slice(0, list) };
  return { value: value === undefined ? true : valueOfJson(value), steps };
}

/** The place of the member in the Order, and where the templates read each name. */
interface IssuePlace {
  readonly path: string;
  readonly lookups: ReadonlyMap<string, readonly string[]>;
  /** Whether the chart's description is left out. */
  readonly isBrief: boolean;
}

function issueFor({ selection, chart, release }: RenderedPackage, unread: UnreadValue, place: IssuePlace): Issue {
  const { steps } = unread;
  const name = steps.reduce<string>((at, step) => (at === '' ? String(step) : joinPath(at, step)), '');
  const off = disabledAmong(chart, release.chart, steps);
  const message =
    off === undefined
      ? `nothing reads the value ${name}: no template of chart ${selection.chart.name} asks for it in this rendering`
      : `nothing reads the value ${name}: the subchart ${off} is not enabled`;
  return {
    ...warning(
      place.path,
      message,
      off === undefined ? hintFor(unread, chart, place) : `Enable ${off}, or leave its values out.`,
    ),
    code: 'UNREAD_VALUE',
  };
}

// A misspelled name is more likely than a wrong place. The chart's description helps to see whether it is the right value.
function hintFor({ steps, lookups }: UnreadValue, chart: Chart, place: IssuePlace): string {
  const describe = (at: Steps): string | undefined => (place.isBrief ? undefined : describeValue(chart, at));
  const name = String(steps.at(-1));
  const meant = suggest(name, lookups);
  if (meant !== undefined) return `Did you mean "${meant}"?${descriptionOf(describe([...steps.slice(0, -1), meant]))}`;
  const own = describe(steps);
  if (own !== undefined) {
    return `The chart describes it as: ${own}${/[.!?…]$/.test(own) ? '' : '.'} It may count for other values only.`;
  }
  const [only = '', ...others] = place.lookups.get(name) ?? [];
  if (only !== '' && others.length === 0) return `Did you mean ${only}?${descriptionOf(describe(only.split('.')))}`;
  return "Look for its name in the chart's values, or leave it out.";
}

function descriptionOf(text: string | undefined): string {
  return text === undefined ? '' : ` The chart describes it as: ${text}`;
}

function disabledAmong(chart: Chart, rendered: Chart, [first]: Steps): string | undefined {
  const isDeclared = chart.metadata.dependencies.some((entry) => nameOf(entry) === first);
  const isThere = rendered.children.some(({ metadata }) => metadata.name === first);
  return isDeclared && !isThere ? String(first) : undefined;
}

// `drydock explain`: why a line of what is rendered is what it is.

import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { realHost } from '../../../render/host.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { tryOrder } from '../../../render/plan.ts';
import { renderRelease } from '../../../render/release.ts';
import { Trace } from '../../../render/template/trace.ts';
import { type Explanation, explainObjects, type TracedObjects } from '../../../render/trace/explanation.ts';
import { orderObjects, releaseObjects } from '../../../render/trace/objects.ts';
import { explanationJson, explanationText, marginText } from '../../../render/trace/report.ts';
import { type Setter, userSetters } from '../../../render/trace/setters.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues, type UserValues } from '../../../render/values/user.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { type OrderInput, readOrderFile, tellFailure } from './order-input.node.ts';
import { locateChart, majorOf, readTextFile, readValuesFiles } from './read.node.ts';

/** Explains a line, a member or a whole object. Gives 1 where the input is at fault. Throws UsageError, RenderError. */
export async function explainCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, object, path, ...more] = flags.args;
  if (input === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock explain" takes an Order or a chart, an object such as Deployment/web, and a path in it',
    );
  }
  const word = flags.text('line');
  if ((word === undefined) === (object === undefined)) throw new UsageError('name an object, or a line with --line');
  const line = word === undefined ? undefined : Number(word);
  const isChart = input.endsWith('.tgz') || isFolder(resolve(io.cwd, input));
  if (line !== undefined && !isChart)
    throw new UsageError('--line takes a line of what "drydock template" prints: name a chart');
  if (line !== undefined && (!Number.isInteger(line) || line < 1))
    throw new UsageError('--line takes a whole number from 1');
  let order: OrderInput | undefined;
  try {
    if (!isChart) order = await readOrderFile(input, flags, io);
    const releases = order === undefined ? [await traceChart(input, flags, io)] : await traceOrder(order);
    tell(explainObjects(releases, line === undefined ? { object, path } : { line }), flags, io);
    return 0;
  } catch (error) {
    return tellFailure(error, order?.text, io, input);
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

async function traceChart(input: string, flags: ParsedFlags, io: CommandIo): Promise<TracedObjects> {
  const helm = helmOf(majorOf(flags));
  const path = locateChart(input, io.cwd);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning: () => {} });
  const given: UserValues = {
    valuesFiles: await readValuesFiles(flags.list('values'), io, helm),
    setJson: flags.list('set-json'),
    set: flags.list('set'),
    setString: flags.list('set-string'),
    setFile: flags.list('set-file'),
    setLiteral: flags.list('set-literal'),
    readFile: (name) => readTextFile(name, io.cwd),
  };
  const trace = new Trace();
  const release = renderRelease(chart, {
    helm,
    name: flags.text('release') || 'release-name',
    namespace: flags.text('namespace') || 'default',
    values: mergeUserValues(given, helm),
    capabilities: createCapabilities({
      helm,
      kubeVersion: flags.text('kube-version') ?? '',
      apiVersions: flags.list('api-versions'),
    }),
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    host: realHost(io.env.TZ),
    trace,
  });
  const folder = relative(io.cwd, path).split(sep).join('/') || '.';
  return releaseObjects({ ...release, trace }, { chart, folder, user: userSetters(given) });
}

async function traceOrder({ text, options }: OrderInput): Promise<readonly TracedObjects[]> {
  const { order } = validateOrder(text.value);
  const { plan, failures } = await tryOrder(order, options, { isTraced: true });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const placed = (setter: Setter): Setter => {
    const { file, ...place } = text.placeOf(setter.where);
    return { ...setter, where: file, ...place };
  };
  return orderObjects(plan.packages, placed);
}

function tell({ lines, ...explanation }: Explanation, flags: ParsedFlags, io: CommandContext): void {
  const [only] = lines;
  if (flags.on('json')) io.stdout(explanationJson({ ...explanation, lines }));
  else if (lines.length === 1 && only !== undefined) io.stdout(explanationText(only));
  else io.stdout(marginText(lines));
}

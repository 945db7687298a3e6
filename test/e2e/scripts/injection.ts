// Tests that no string of an Order, its charts or the cluster becomes a command in an install script. Generates Orders with hostile
// strings in several places. Each script runs in a shell with stub tools and must not create the file that every such string would create;
// each PowerShell script is parsed and must contain no code, outside of string literals, that scripts of harmless Orders do not contain.
// `npm run test:e2e -- injection --count 700 [--seed N]`

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { type RenderedOrder, renderOrder } from '../../../render/api/order.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { realHost } from '../../../render/core/host.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { hostileWords } from '../../support/hostile-words.ts';
import { parsePowerShell } from '../../support/powershell.ts';
import { runScript, shells } from '../../support/shells.ts';

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = temporaryFolder('injection-');
const canary = join(folder, 'executed');
const words = hostileWords(canary);

const object = (kind: string, name: string, more: string): string =>
  `---\napiVersion: ${kind}\nmetadata:\n  name: {{ .Values.${name} | toJson }}\n${more}`;

const template = `${object(
  'v1\nkind: ConfigMap',
  'config',
  `  annotations: {a: {{ .Values.annotation | toJson }}, helm.sh/resource-policy: {{ .Values.policy | toJson }}}
  labels: {a: {{ .Values.label | toJson }}}
data:
  {{ .Values.key | toJson }}: {{ .Values.data | toJson }}
`,
)}${object(
  'v1\nkind: Secret',
  'secret',
  'stringData:\n  {{ .Values.secretKey | toJson }}: {{ .Values.secretText | toJson }}\n',
)}${object('v1\nkind: Secret', 'random', 'stringData: {a: {{ randAlpha 8 }}}\n')}${object(
  'apps/v1\nkind: Deployment',
  'workload',
  '  namespace: {{ .Values.space | toJson }}\nspec: {replicas: 1}\n',
)}${object(
  'batch/v1\nkind: Job',
  'hook',
  '  annotations: {helm.sh/hook: "pre-install,pre-delete", helm.sh/hook-delete-policy: {{ .Values.hookPolicy | toJson }}}\n',
)}`;

/** The places for hostile strings, with harmless content. */
const values = {
  config: 'config',
  annotation: 'a',
  policy: 'delete',
  label: 'a',
  key: 'key',
  data: 'a',
  secret: 'secret',
  secretKey: 'key',
  secretText: 'confidential',
  random: 'random',
  workload: 'web',
  space: 'other',
  hook: 'hook',
  hookPolicy: 'x',
} as const;
const others = {
  context: 'c',
  file: 'file',
  notes: 'a',
  crd: 'crd',
  selector: 'a',
  condition: 'a',
  uid: 'a',
  free: 'a',
  // Fields of the Order.
  name: 'web',
  version: '1.0.0',
  releaseName: 'web',
  namespace: 'shop',
  source: 'web',
  group: 'pods',
  timeout: '1s',
} as const;
const defaults = { ...values, ...others };
type Place = keyof typeof defaults;

/** Renders an Order with the given strings in each place. Rejects if a string is not accepted. */
function render(filled: Readonly<Record<Place, string>>, secrets: 'keep' | 'env'): Promise<RenderedOrder> {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: filled.crd },
  };
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    [`templates/${filled.file}.yaml`]: template,
    'templates/NOTES.txt': '{{ .Values.notes }}\n',
    'crds/crd.yaml': JSON.stringify(crd),
  };
  const chart = loadChart(files);
  const { name, version, releaseName, namespace, source, group, timeout, ...chartFields } = filled;
  const { free, condition, selector, context, uid, ...rest } = chartFields;
  const wait = { labels: { matchLabels: { a: selector } }, for: `jsonpath={.${condition}}=x` };
  const selection = {
    ...{ name, version, releaseName, namespace, sourceRef: { kind: 'Local', name: source } },
    values: { ...rest, tree: { [free]: [free] } },
    waitFors: [{ ...wait, resource: { group }, timeout }],
  };
  const order = { metadata: { name: 'shop', uid }, spec: { packages: [{ chart: selection }] } };
  const registry = { resolve: async () => chart };
  return renderOrder(order, { registry, host: realHost(), context, secrets });
}

const count = { orders: 0, rejected: 0, runs: 0, parsed: 0, failures: 0 };

function report(title: string, failure: string): void {
  if (failure === '') return;
  count.failures++;
  console.log(`FAIL ${title}\n  ${failure.slice(0, 1000)}`);
}

/** Runs the scripts of an Order with stub tools that print hostile strings. */
function runAll(rendered: RenderedOrder, title: string, at: number): void {
  const shell = shells[at % shells.length] ?? { name: 'sh', command: ['sh'] };
  const word = words[at % words.length]!.replaceAll('\0', '').replaceAll("'", `'\\''`);
  const behavior = `case "$*" in get*custom-columns*) printf '%s\\n' 'v1 ConfigMap shop ${word} ${word} ${word}' ;; esac`;
  for (const [tool, script, actions] of [
    ['Helm', rendered.helmScript(), [[], ['uninstall'], ['--dry-run']]],
    ['kubectl', rendered.yamlScript(), [[], ['uninstall'], ['diff']]],
  ] as const) {
    const variables = [...script.matchAll(/^# (SECRET_\w+): /gm)].map(([, name = ''], index) => [
      name,
      words[index % words.length]!,
    ]);
    const env = Object.fromEntries(variables.map(([name, text]) => [name, text!.replaceAll('\0', '') || 'x']));
    for (const args of [actions[0], actions[1 + (at % 2)]!]) {
      count.runs++;
      // A label of another owner stops an installation, so only every other run finds objects.
      const run = runScript(script, shell.command, {
        args,
        env,
        behavior: at % 2 === 0 || args.length > 0 ? behavior : '',
      });
      const name = `${title}: ${tool} ${args.join(' ')} in ${shell.name}`;
      report(name, existsSync(canary) ? 'a string was executed' : '');
      report(name, /syntax error|unexpected|not found/i.test(run.stderr) ? run.stderr : '');
      report(name, run.calls.length === 0 ? `no tool was called: ${run.stderr}` : '');
      rmSync(canary, { force: true });
    }
  }
}

// The tokens of code in scripts of harmless Orders.
const known = new Set<string>();

async function parseAll(rendered: RenderedOrder, title: string): Promise<void> {
  for (const form of ['helmScript', 'yamlScript'] as const) {
    count.parsed++;
    const { errors, skeleton } = await parsePowerShell(rendered[form]('windows'));
    report(`${title}: the PowerShell ${form} has syntax errors`, errors.join('\n'));
    const foreign = skeleton.filter((token) => !known.has(token));
    report(`${title}: the PowerShell ${form} contains unknown code`, foreign.slice(0, 20).join(' '));
  }
}

const places = Object.keys(defaults) as Place[];
const chosen = fc.tuple(
  fc.subarray(places, { minLength: 1, maxLength: 6 }),
  fc.array(fc.constantFrom(...words), { minLength: 6, maxLength: 6 }),
  fc.constantFrom('keep' as const, 'env' as const),
);
for (const secrets of ['keep', 'env'] as const) {
  // The code for a hook with an invalid name differs: it is neither awaited nor deleted.
  for (const hook of ['hook', 'no name']) {
    const rendered = await render({ ...defaults, hook }, secrets);
    for (const script of [rendered.helmScript('windows'), rendered.yamlScript('windows')])
      for (const token of (await parsePowerShell(script)).skeleton) known.add(token);
  }
}
const wanted = Number(flags.count);
// Some Orders are rejected, so more are generated than needed.
for (const [at, [where, what, secrets]] of fc
  .sample(chosen, { numRuns: 6 * wanted, seed: Number(flags.seed) })
  .entries()) {
  if (count.orders === wanted) break;
  const fill = (wordAt: (index: number) => string): Record<Place, string> => ({
    ...defaults,
    ...Object.fromEntries(where.map((place, index) => [place, wordAt(index)])),
  });
  let rendered: RenderedOrder;
  try {
    rendered = await render(
      fill((index) => what[index]!),
      secrets,
    );
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    count.rejected++;
    const places = error.issues.filter(({ severity }) => severity === 'error').map(({ path }) => path);
    const isPlaced =
      places.length > 0 && places.every((path) => /^(?:spec\.packages\[0\]\.chart|metadata)\./.test(path));
    if (error.code === 'ORDER_INVALID') report(`Order ${at} is rejected with its path`, isPlaced ? '' : error.message);
    continue;
  }
  count.orders++;
  const title = `Order ${at} (${where.map((place, index) => `${place}: ${JSON.stringify(what[index])}`).join(', ')})`;
  runAll(rendered, title, at);
  await parseAll(rendered, title);
}

const { orders, rejected, runs, parsed, failures } = count;
console.log(
  `${orders} hostile Orders (${rejected} more were rejected), ${runs} runs, ${parsed} PowerShell scripts parsed: ${failures} failures`,
);
if (failures > 0 || orders < Number(flags.count)) process.exitCode = 1;

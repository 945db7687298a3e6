// Every code of every public error: its cause, an example that causes it, its message, and how to fix it. The page of errors is
// generated from it, and a test runs each example.

import type { EmulatorErrorCode } from '../../emulator/core/errors.ts';
import type { RenderErrorCode } from '../../render/core/errors.ts';

/** The guide to one code. */
export interface ErrorGuide {
  readonly cause: string;
  /** The body of an async function. The exports of `drydock`, `drydock/node`, `drydock/snapshot` and the emulator's entry points are in scope. */
  readonly example: string;
  /** The message of the error that the example throws. */
  readonly message: string;
  readonly hint: string;
}

const files = (more: string): string =>
  `const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\\nname: web\\nversion: 1.0.0\\n',
${more}});`;

/** The codes of `RenderError`, and so of `PackageError` and `ReleaseError`. */
export const renderErrors: { readonly [Code in RenderErrorCode]: ErrorGuide } = {
  ORDER_INVALID: {
    cause:
      'The Order does not have the required shape, or its text is not valid YAML or JSON. `issues` lists every error with its path.',
    example: `validateOrder({ spec: { packages: [{ chart: { name: 'web', releaseName: 'Shop', sourceRef: { name: 'stable' } } }] } });`,
    message: 'spec.packages[0].chart.releaseName "Shop" is not a release name',
    hint: 'Each issue says how to fix it. `drydock check FILE` prints them with line and column; editors show them with the schema.',
  },
  CHART_NOT_FOUND: {
    cause: 'No registry has this version of the chart, or the path does not exist.',
    example: `await loadChartPath('charts/wbe');`,
    message: 'path "charts/wbe" not found',
    hint: 'Use the path of an existing folder or archive, or for an Order, a folder of charts that contains the chart. The hint lists the available versions.',
  },
  CHART_INVALID: {
    cause:
      'The files are not a valid chart: Chart.yaml, values.yaml or an archive cannot be read, a dependency is missing, or the chart is a library or excludes this version of Kubernetes.',
    example: `loadChart({ 'Chart.yaml': 'apiVersion: v2\\nname: web\\n' });`,
    message: 'validation: chart.metadata.version is required',
    hint: '`place` names the file, and the line and column of YAML errors.',
  },
  VALUES_INVALID: {
    cause:
      'A values file, `--set` text, patch, release name or Kubernetes version is invalid, or values.schema.json rejects the values.',
    example: `${files(`  'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}',\n`)}
template(chart, { valuesFiles: [{ name: 'prod.yaml', text: 'replicas: two\\n' }] });`,
    message:
      "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- at '/replicas': got string, want integer\n",
    hint: 'Each issue has the path of the value and, if it comes from a file, the `place`: here prod.yaml, line 1, column 1.',
  },
  TEMPLATE_PARSE: {
    cause: 'A template does not parse: a block is not closed, or a function does not exist.',
    example: `${files(`  'templates/map.yaml': 'kind: {{ if }}',\n`)}
template(chart);`,
    message: 'parse error at (web/templates/map.yaml:1): missing value for if',
    hint: 'Fix the template at `place`.',
  },
  TEMPLATE_EXEC: {
    cause:
      'A template failed while it ran: a value is missing or has the wrong type, or the chart called `fail` or `required`.',
    example: `${files(`  'templates/map.yaml': 'kind: {{ required "kind is needed" .Values.kind }}',\n`)}
template(chart);`,
    message: 'execution error at (web/templates/map.yaml:1:9): kind is needed',
    hint: 'Set the required value, or fix the expression at `place`.',
  },
  MANIFEST_INVALID: {
    cause: 'The output of a template is not the YAML of Kubernetes objects.',
    example: `${files(`  'templates/map.yaml': 'kind: A: B',\n`)}
template(chart);`,
    message:
      'YAML parse error on web/templates/map.yaml: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
    hint: 'Look at the rendered text: `partial` of the ReleaseError, or `drydock template --debug`. `place` refers to that text.',
  },
  LIMIT_REACHED: {
    cause:
      'A rendering exceeded the time, output, steps or memory that its `limits` allow (the command sets none), an input of `snapshot` needs more memory than a thread has, or an input is nested too deeply: [Limits](compatibility.md#limits).',
    example: `${files(`  'templates/loop.yaml': '{{ range until 1000000 }}{{ end }}',\n`)}
template(chart, { limits: { milliseconds: 10_000, steps: 1000 } });`,
    message:
      'template: web/templates/loop.yaml:1:15: executing "web/templates/loop.yaml" at <1000000>: the rendering took more than 1000 steps and was stopped',
    hint: 'Look for a template or value that grows without bound, or raise the limit.',
  },
  ARGUMENT_INVALID: {
    cause: 'A function was called with an invalid argument or option. `issues` lists all of them.',
    example: `template(loadChart({ 'Chart.yaml': 'apiVersion: v2\\nname: web\\nversion: 1.0.0\\n' }), { nameSpace: 'shop' });`,
    message: 'template: options.nameSpace is not a known option',
    hint: 'Each issue says how to fix it; here: Did you mean "namespace"?',
  },
};

/** The codes of `EmulatorError`. */
export const emulatorErrors: { readonly [Code in EmulatorErrorCode]: ErrorGuide } = {
  SETTING_INVALID: {
    cause: 'A setting or option of the emulator, its server or its handlers is unknown or has the wrong type.',
    example: `createEmulator({ pageSise: 10 });`,
    message: 'there is no option "pageSise"; did you mean "pageSize"?',
    hint: '`settingRules` and settings.schema.json list the settings and their types.',
  },
  FAULT_INVALID: {
    cause: 'A fault or scenario is invalid: its route does not exist, a number is out of range, or a field is unknown.',
    example: `createEmulator().fault({ route: 'listEmails', status: 42 });`,
    message: 'status: must be at least 200',
    hint: 'The issue names the field. Route names are those of /swagger.v1.json.',
  },
  SCENARIO_UNKNOWN: {
    cause: 'There is no scenario with this name.',
    example: `createEmulator().scenario('slo');`,
    message: '/^there is no scenario slo; did you mean "slow"\\?/',
    hint: 'The message lists the names.',
  },
  TIME_INVALID: {
    cause: 'A time is invalid or out of range.',
    example: `createEmulator({ now: 'yesterday' });`,
    message: '/yesterday/',
    hint: 'Use ISO 8601, such as 2025-01-01T00:00:00Z, or milliseconds since 1970.',
  },
  WORLD_INVALID: {
    cause: 'The name of a world is invalid.',
    example: `createEmulator().world('a b');`,
    message: '/"a b" cannot name a world/',
    hint: 'Use up to 64 letters, digits, "-", "_" and ".".',
  },
  WORLDS_FULL: {
    cause: 'The number of worlds has reached `maxWorlds`.',
    example: `const emulator = createEmulator({ maxWorlds: 1 });
for (const name of ['a', 'b', 'c']) emulator.world(name);`,
    message: '/there are too many worlds/',
    hint: 'Delete some, raise `maxWorlds`, or set `evictWorlds`.',
  },
  FILTER_INVALID: {
    cause: 'A filter of the request log has an unknown field, or a value of the wrong type.',
    example: `createEmulator().requests({ usr: 'ada' });`,
    message: '/there is no field "usr"; did you mean "user"\\?/',
    hint: 'The message suggests the field.',
  },
  REQUEST_TIMEOUT: {
    cause: 'No matching request arrived in time.',
    example: `await createEmulator().waitForRequest({ route: 'listEmails' }, 1);`,
    message: '/was made within 1 ms/',
    hint: 'The message shows the most similar request. Wait longer, or fix the filter.',
  },
  ROUTE_INVALID: {
    cause:
      'The definition of a custom route or model is invalid: its name or address is already in use, or a schema is not a valid JSON Schema.',
    example: `createEmulator({ routes: [defineRoute({ name: 'getUser', method: 'GET', path: '/user', run: () => ({ status: 204 }) })] });`,
    message: '/^routes\\[0\\]: GET \\/api\\/v1\\/user is already in use by getCurrentUser/',
    hint: 'Choose another name or path, or fix the schema that the issue names.',
  },
  PAGE_REQUIRED: {
    cause: '`startWorker` was called outside a page: in Node, or during server-side rendering.',
    example: `await startWorker();`,
    message: '/^drydock\\/emulator\\/browser was started outside a page/',
    hint: 'Call it only in the browser; in Node, use `startServer` or `mswHandlers`.',
  },
  ARGUMENT_INVALID: {
    cause: 'A function of the emulator was called with an invalid argument.',
    example: `createEmulator({ onBug: 'log it' });`,
    message: 'createEmulator: options.onBug: must be a function, not a string: Give a function.',
    hint: 'The message names the argument and the expected value.',
  },
};

/** Other errors, by the name of their class, without a code of drydock. */
export const otherErrors: Readonly<Record<string, ErrorGuide>> = {
  FixtureError: {
    cause: 'A fixture is invalid: the message names the file and the path in it.',
    example: `createEmulator({ fixtures: { users: [{ login: 'ada', pasword: 'x' }] } });`,
    message: '/pasword/',
    hint: 'The message suggests the field; schemas/fixtures/*.schema.json describe all fields.',
  },
};

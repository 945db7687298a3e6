// Every code of every public error: its cause, a program that produces it, what that program is told, and the mend. Plain
// data: the page of errors is made from it, and a test runs each example.

import type { EmulatorErrorCode } from '../../emulator/core/errors.ts';
import type { RenderErrorCode } from '../../render/core/errors.ts';

/** What there is to know of one code. */
export interface ErrorGuide {
  readonly cause: string;
  /** The body of an async function; the names of `drydock`, `drydock/node`, `drydock/snapshot` and the emulator's entries are in scope. */
  readonly example: string;
  /** The message that the example is given. */
  readonly message: string;
  readonly mend: string;
}

const files = (more: string): string =>
  `const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\\nname: web\\nversion: 1.0.0\\n',
${more}});`;

/** The codes of `RenderError`, and so of `PackageError` and `ReleaseError`. */
export const renderErrors: { readonly [Code in RenderErrorCode]: ErrorGuide } = {
  ORDER_INVALID: {
    cause:
      'The Order does not have the required shape, or its text is not valid YAML or JSON. `issues` lists every fault with its path.',
    example: `validateOrder({ spec: { packages: [{ chart: { name: 'web', releaseName: 'Shop', sourceRef: { name: 'stable' } } }] } });`,
    message: 'spec.packages[0].chart.releaseName "Shop" is not a release name',
    mend: 'Each issue says how. `drydock check FILE` tells them with line and column; the schema tells them in an editor.',
  },
  CHART_NOT_FOUND: {
    cause: 'No registry has the chart in that version, or there is nothing at the path.',
    example: `await loadChartPath('charts/wbe');`,
    message: 'path "charts/wbe" not found',
    mend: 'Name a folder or archive that is there; for an Order, a folder of charts that holds it. The mend lists the versions that were found.',
  },
  CHART_INVALID: {
    cause:
      'The files cannot be read as a chart: Chart.yaml, values.yaml, an archive; a dependency is missing; it is a library, or wants another Kubernetes.',
    example: `loadChart({ 'Chart.yaml': 'apiVersion: v2\\nname: web\\n' });`,
    message: 'validation: chart.metadata.version is required',
    mend: '`place` names the file and, for faults of YAML, line and column.',
  },
  VALUES_INVALID: {
    cause:
      'A values file, a `set` text, a patch, a release name, a Kubernetes version, or what values.schema.json says refuses the input.',
    example: `${files(`  'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}',\n`)}
template(chart, { valuesFiles: [{ name: 'prod.yaml', text: 'replicas: two\\n' }] });`,
    message:
      "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- at '/replicas': got string, want integer\n",
    mend: 'Each issue has the path of the value and, where a file gave it, the `place`: here prod.yaml, line 1, column 1.',
  },
  TEMPLATE_PARSE: {
    cause: 'A template is not well-formed: a block that is not closed, a function that does not exist.',
    example: `${files(`  'templates/map.yaml': 'kind: {{ if }}',\n`)}
template(chart);`,
    message: 'parse error at (web/templates/map.yaml:1): missing value for if',
    mend: 'Mend the template at the `place`.',
  },
  TEMPLATE_EXEC: {
    cause:
      'A template failed while it ran: a value is missing or of another kind, or the chart itself called `fail` or `required`.',
    example: `${files(`  'templates/map.yaml': 'kind: {{ required "kind is needed" .Values.kind }}',\n`)}
template(chart);`,
    message: 'execution error at (web/templates/map.yaml:1:9): kind is needed',
    mend: 'Give the value that is asked for, or mend the expression at the `place`.',
  },
  MANIFEST_INVALID: {
    cause: 'What a template gave is not the YAML of Kubernetes objects.',
    example: `${files(`  'templates/map.yaml': 'kind: A: B',\n`)}
template(chart);`,
    message:
      'YAML parse error on web/templates/map.yaml: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
    mend: 'Look at what the template gives: `partial` of a ReleaseError, or `drydock template --debug`. `place` counts in that text.',
  },
  LIMIT_REACHED: {
    cause:
      'A rendering took more time, text, steps or memory than its `limits` allow, and was stopped; the command has none. Or an input is nested too deep: [Limits](compatibility.md#limits).',
    example: `${files(`  'templates/loop.yaml': '{{ range until 1000000 }}{{ end }}',\n`)}
template(chart, { limits: { milliseconds: 10_000, steps: 1000 } });`,
    message:
      'template: web/templates/loop.yaml:1:15: executing "web/templates/loop.yaml" at <1000000>: the rendering took more than 1000 steps and was stopped',
    mend: 'Look for a template or a value that grows without end, or raise the limit.',
  },
  ARGUMENT_INVALID: {
    cause: 'A function was called with an argument or an option that it does not take. `issues` lists every one.',
    example: `template(loadChart({ 'Chart.yaml': 'apiVersion: v2\\nname: web\\nversion: 1.0.0\\n' }), { nameSpace: 'shop' });`,
    message: 'template: options.nameSpace is not a known option',
    mend: 'Each issue says how; here: Did you mean "namespace"?',
  },
};

/** The codes of `EmulatorError`. */
export const emulatorErrors: { readonly [Code in EmulatorErrorCode]: ErrorGuide } = {
  SETTING_INVALID: {
    cause: 'A setting or option of the emulator, its server or its handlers is unknown or of the wrong kind.',
    example: `createEmulator({ pageSise: 10 });`,
    message: 'there is no option "pageSise"; did you mean "pageSize"?',
    mend: 'Settings and their types are in `settingRules` and in settings.schema.json.',
  },
  FAULT_INVALID: {
    cause: 'A fault or scenario is not as it must be: its route is none, a number is out of range, a field is unknown.',
    example: `createEmulator().fault({ route: 'listEmails', status: 42 });`,
    message: 'status: must be at least 200',
    mend: 'The issue names the field. Routes are named as in /swagger.v1.json.',
  },
  SCENARIO_UNKNOWN: {
    cause: 'There is no scenario of that name.',
    example: `createEmulator().scenario('slo');`,
    message: '/^there is no scenario slo; did you mean "slow"\\?/',
    mend: 'The message lists the names.',
  },
  TIME_INVALID: {
    cause: 'A time is none, or is out of range.',
    example: `createEmulator({ now: 'yesterday' });`,
    message: '/yesterday/',
    mend: 'Give ISO 8601, such as 2025-01-01T00:00:00Z, or milliseconds since 1970.',
  },
  WORLD_INVALID: {
    cause: 'The name cannot name a world.',
    example: `createEmulator().world('a b');`,
    message: '/"a b" cannot name a world/',
    mend: 'Use up to 64 letters, digits, "-", "_" and ".".',
  },
  WORLDS_FULL: {
    cause: 'There are as many worlds as `maxWorlds` allows.',
    example: `const emulator = createEmulator({ maxWorlds: 1 });
for (const name of ['a', 'b', 'c']) emulator.world(name);`,
    message: '/there are too many worlds/',
    mend: 'Delete some, raise `maxWorlds`, or set `evictWorlds`.',
  },
  FILTER_INVALID: {
    cause: 'A filter of the log has an unknown field, or one of the wrong kind.',
    example: `createEmulator().requests({ usr: 'ada' });`,
    message: '/there is no field "usr"; did you mean "user"\\?/',
    mend: 'The message names the field that was probably meant.',
  },
  REQUEST_TIMEOUT: {
    cause: 'No request that fits came in time.',
    example: `await createEmulator().waitForRequest({ route: 'listEmails' }, 1);`,
    message: '/came within 1 ms/',
    mend: 'The message names the nearest miss. Wait longer, or mend the filter.',
  },
  ROUTE_INVALID: {
    cause:
      'The definition of a custom route or model is invalid: its name or address is already in use, or a schema is not a valid JSON Schema.',
    example: `createEmulator({ routes: [defineRoute({ name: 'getUser', method: 'GET', path: '/user', run: () => ({ status: 204 }) })] });`,
    message: '/^routes\\[0\\]: GET \\/api\\/v1\\/user is already in use by getCurrentUser/',
    mend: 'Choose another name or path, or correct the schema that the issue names.',
  },
  PAGE_REQUIRED: {
    cause: '`startWorker` was called outside a page: in Node, or during server-side rendering.',
    example: `await startWorker();`,
    message: '/^drydock\\/emulator\\/browser was started outside a page/',
    mend: 'Call it only in the browser; in Node, use `startServer` or `mswHandlers`.',
  },
  ARGUMENT_INVALID: {
    cause: 'A function of the emulator was called with an argument that it does not take.',
    example: `createEmulator({ onBug: 'log it' });`,
    message: 'createEmulator: options.onBug: must be a function, not a string: Give a function.',
    mend: 'The message names the argument and says what to give.',
  },
};

/** Other errors that may be met, by the name of their class; they have no code of drydock. */
export const otherErrors: Readonly<Record<string, ErrorGuide>> = {
  SnapshotError: {
    cause:
      'A rendering differs from its snapshot, or was never recorded. `changes` lists the files; test runners show a failed assertion.',
    example: `await matchSnapshot('kind: A\\n', 'snapshots/never-recorded.yaml');`,
    message: '/the snapshot does not match/',
    mend: 'If it is meant, run with UPDATE_SNAPSHOTS=1 and commit the files.',
  },
  FixtureError: {
    cause: 'A fixture is wrong: the message names the file and the path in it.',
    example: `createEmulator({ fixtures: { users: [{ login: 'ada', pasword: 'x' }] } });`,
    message: '/pasword/',
    mend: 'The message names the field that was probably meant; schemas/fixtures/*.schema.json say what there is.',
  },
};

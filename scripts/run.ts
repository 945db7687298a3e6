// Runs the programs behind `npm run test:e2e`, `conformance`, `fuzz`, `reference`, `bench`, `docs`, `generate` and `build`:
// `npm run COMMAND [-- NAME [ARGUMENT…]]`. Without a name it runs the default of the command, or lists the names.

import { spawnSync } from 'node:child_process';

/** The programs of a command by name: files, with their first arguments, that run one after another; those of `default` need no name. */
type Programs = Readonly<Record<string, readonly string[]>>;

/** One for each screen of the console. */
const consoleSpecs = [
  'test/e2e/console/start.spec.ts',
  'test/e2e/console/orders.spec.ts',
  'test/e2e/console/editor.spec.ts',
  'test/e2e/console/compare.spec.ts',
  'test/e2e/console/charts.spec.ts',
  'test/e2e/console/saved-orders.spec.ts',
  'test/e2e/console/users.spec.ts',
  'test/e2e/console/emulator.spec.ts',
  'test/e2e/console/api.spec.ts',
  'test/e2e/console/screens.spec.ts',
];

const commands: Readonly<Record<string, Programs>> = {
  'test:e2e': {
    browser: ['test/e2e/browser/emulator.ts', 'test/e2e/browser/engine.ts'],
    channels: ['test/e2e/package/channels/channels.ts'],
    'chart-mutations': ['test/e2e/charts/chart-mutations.ts'],
    claims: ['test/e2e/charts/claims.ts'],
    clients: ['test/e2e/emulator/clients.ts'],
    'cluster-diff': ['test/e2e/cluster/live-diff.ts'],
    'cluster-scripts': ['test/e2e/cluster/install-scripts.ts'],
    'cluster-validation': ['test/e2e/cluster/validation.ts'],
    completions: ['test/e2e/package/completions.ts'],
    console: consoleSpecs,
    'console-firefox': [...consoleSpecs, 'test/e2e/console/hostile-charts.spec.ts'],
    consumers: ['test/e2e/package/consumers.ts'],
    demo: [
      'test/e2e/console/demo.spec.ts',
      'test/e2e/console/hostile-charts.spec.ts',
      'test/e2e/console/large-chart.spec.ts',
      'test/e2e/console/own-demo.spec.ts',
    ],
    editor: ['test/e2e/package/editor.ts'],
    'generated-cases': ['test/e2e/charts/generated-cases.ts'],
    injection: ['test/e2e/scripts/injection.ts'],
    'language-server': ['test/e2e/editor/editors.ts'],
    limits: ['test/e2e/limits/hostile-orders.ts', 'test/e2e/limits/hostile-shapes.ts'],
    nats: ['test/e2e/emulator/nats.ts'],
    package: ['test/e2e/package/package.ts'],
    persistence: ['test/e2e/emulator/persistence.ts', 'test/e2e/snapshot/killed-updates.ts'],
    'preview-bytes': ['test/e2e/console/preview-bytes.spec.ts'],
    'public-charts': ['test/e2e/scripts/agreement.ts'],
    'report-pages': ['test/e2e/browser/report-pages.ts'],
    'same-bytes': ['test/e2e/testing/same-bytes.ts'],
    scripts: ['test/e2e/scripts/agreement.ts', 'test/e2e/scripts/injection.ts'],
    serve: ['test/e2e/emulator/serve.ts'],
    unittest: ['test/e2e/testing/unittest.ts'],
    vendor: ['test/e2e/vendor/vendor.ts'],
    'version-pairs': ['test/e2e/charts/version-pairs.ts'],
    'vite-app': ['test/e2e/package/vite-app.ts'],
  },
  conformance: {
    default: ['test/conformance/conformance.ts'],
    golden: ['test/conformance/golden.ts'],
    'helm-testdata': ['test/conformance/helm-testdata.ts'],
  },
  fuzz: {
    default: ['test/fuzz/fuzz.ts'],
    mutations: ['test/fuzz/mutations.ts'],
  },
  reference: {
    default: ['scripts/reference/reference.ts'],
    'kube-deprecations': ['scripts/reference/kube-deprecations.ts'],
    'kube-schemas': ['scripts/reference/kube-schemas.ts'],
    'record-functions': ['scripts/reference/record-functions.ts'],
    'record-vectors': ['scripts/reference/record-vectors.ts'],
    updates: ['scripts/reference/updates.ts'],
  },
  bench: { default: ['scripts/bench/bench.ts'] },
  docs: {
    default: ['scripts/docs/build-site.ts'],
    blocks: ['scripts/docs/check-blocks.ts'],
    examples: ['scripts/docs/run-examples.ts'],
    picture: ['scripts/docs/picture.ts'],
    reference: ['scripts/docs/reference.ts'],
    screenshots: ['scripts/docs/screenshots.ts'],
  },
  generate: {
    default: ['scripts/build/generate/generate.ts'],
    client: ['scripts/build/generate/client-types.ts'],
  },
  build: {
    default: ['scripts/build/build.ts'],
    executable: ['scripts/build/channels/executable.ts'],
    image: ['scripts/build/channels/image.ts'],
    vscode: ['scripts/build/editor/pack-vscode.ts'],
  },
};

const [command = '', name = '', ...rest] = process.argv.slice(2);
const programs = commands[command];
if (programs === undefined)
  throw new Error(`no command ${JSON.stringify(command)}: ${Object.keys(commands).join(', ')}`);
const isNamed = name !== 'default' && Object.hasOwn(programs, name);
const files = isNamed ? programs[name] : programs.default;
if (files === undefined) {
  const problem = name === '' ? '' : `no program ${JSON.stringify(name)}\n`;
  console.error(`${problem}usage: npm run ${command} -- NAME [ARGUMENT…]\n\n${Object.keys(programs).join('\n')}`);
  process.exit(2);
}
const words = isNamed ? rest : process.argv.slice(3);
const env = name === 'console-firefox' ? { ...process.env, DRYDOCK_BROWSER: 'firefox' } : process.env;
for (const file of files) {
  const args = ['--import', 'tsx', '--test-reporter=spec', ...file.split(' '), ...words];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

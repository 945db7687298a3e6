// The package's entry points and their sources, for the build, the tests and the docs.
// `exports` of package.json lists the same; `npm run test:e2e -- package` compares the two.

/** One entry point of the package. */
export interface EntryPoint {
  /** The import path after `drydock`: `.`, `./node`. */
  readonly subpath: string;
  /** The base name of its files in dist/: `NAME.js`, `NAME.d.ts`, `cjs/NAME.cjs`. */
  readonly name: string;
  readonly source: string;
  /** The platform. Entry points for Node are refused by bundlers for the browser. */
  readonly platform: 'any' | 'node' | 'browser';
  /** Its replacement in Node, with the same types. */
  readonly elsewhere?: string;
  /** Whether it is ESM only, which every supported Node can also `require`. Default false. */
  readonly isEsmOnly?: true;
  /** Whether its code may contain what opens connections. The build rejects that in all others. Default false. */
  readonly isOnline?: true;
}

/** The entry points. They are bundled together, so that a chart from one can be passed to another. */
export const entryPoints: readonly EntryPoint[] = [
  { subpath: '.', name: 'index', source: 'render/index.ts', platform: 'any' },
  { subpath: './order', name: 'order', source: 'render/order.ts', platform: 'any' },
  { subpath: './node', name: 'node', source: 'render/disk.node.ts', platform: 'node' },
  { subpath: './snapshot', name: 'snapshot', source: 'render/snapshot.node.ts', platform: 'node' },
  { subpath: './testing', name: 'testing', source: 'render/testing/expect.node.ts', platform: 'node' },
  {
    subpath: './vendor',
    name: 'vendor',
    source: 'render/vendor.node.ts',
    platform: 'node',
    isEsmOnly: true,
    isOnline: true,
  },
  {
    subpath: './language-server',
    name: 'language-server',
    source: 'render/language-server/serve.node.ts',
    platform: 'node',
    isEsmOnly: true,
    // Its protocol library can also listen on sockets; the server only uses standard input and output.
    isOnline: true,
  },
  { subpath: './config', name: 'config', source: 'emulator/cli/config.ts', platform: 'any' },
  { subpath: './emulator', name: 'emulator', source: 'emulator/index.ts', platform: 'any' },
  { subpath: './client', name: 'client', source: 'emulator/client.ts', platform: 'any' },
  { subpath: './emulator/seed', name: 'emulator-seed', source: 'emulator/seed.ts', platform: 'any' },
  { subpath: './emulator/msw', name: 'emulator-msw', source: 'emulator/msw.ts', platform: 'any' },
  { subpath: './emulator/node', name: 'emulator-node', source: 'emulator/server.node.ts', platform: 'node' },
  { subpath: './emulator/testing', name: 'emulator-testing', source: 'emulator/testing.node.ts', platform: 'node' },
  {
    subpath: './emulator/browser',
    name: 'emulator-browser',
    source: 'emulator/worker.browser.ts',
    platform: 'browser',
    elsewhere: 'emulator/worker.elsewhere.ts',
  },
];

/** Modules that get their own files in dist/, so that an application bundles no more than it imports. */
export const parts: Readonly<Record<string, string>> = {
  errors: 'render/core/errors.ts',
  validation: 'render/order/validate.ts',
  'order-text': 'render/order/read.ts',
  charts: 'render/chart/load.ts',
  registries: 'render/chart/registry.ts',
  engine: 'render/api/chart.ts',
  orders: 'render/api/order.ts',
};

/** Returns `exports` for package.json. */
export function packageExports(): Readonly<Record<string, unknown>> {
  const entries = entryPoints.map((entry) => [entry.subpath, conditionsOf(entry)]);
  return {
    ...Object.fromEntries(entries),
    './schemas/*': './dist/schemas/*',
    './package.json': './package.json',
  };
}

/**
 * Returns the conditions of an entry point. ESM is for bundlers (`module`) and every Node from 20.19 on (`module-sync`), also for
 * `require`, so a process never loads two copies. CommonJS is for loaders that know neither, such as Jest's.
 */
function conditionsOf({ name, platform, elsewhere, isEsmOnly }: EntryPoint): Readonly<Record<string, unknown>> {
  const esm = { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` };
  const cjs = { types: `./dist/cjs/${name}.d.cts`, default: `./dist/cjs/${name}.cjs` };
  if (elsewhere !== undefined) {
    const [esmStub, cjsStub] = [`./dist/${name}-elsewhere.js`, `./dist/cjs/${name}-elsewhere.cjs`];
    const node = {
      'module-sync': { ...esm, default: esmStub },
      require: { ...cjs, default: cjsStub },
      default: { ...esm, default: esmStub },
    };
    return { node, module: esm, require: cjs, default: esm };
  }
  return {
    ...(platform === 'node' && { browser: null }),
    'module-sync': esm,
    module: esm,
    ...(isEsmOnly !== true && { require: cjs }),
    default: esm,
  };
}

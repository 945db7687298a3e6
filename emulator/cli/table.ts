// The flags of the emulator's commands: `serve`, whose flags for settings are added by settings.ts, `demo`, `nats-config` and `init`.

import type { CommandSpec } from '../../render/cli/table/command.ts';
import { boolFlag, chartsFlag, globalFlags, jsonFlag, textFlag } from '../../render/cli/table/shared.ts';

const file = { form: 'path', offers: 'files' } as const;
const folder = { form: 'path', offers: 'folders' } as const;

/** The command `serve`, except for the flags of settings. */
export const serveSpec: CommandSpec = {
  name: 'serve',
  operands: '',
  summary: 'serve the emulator of the user API',
  about: ['Serves the emulator of the user API until it is stopped (Ctrl-C).'],
  flags: [
    textFlag('port', 'N', 'port; 0 for any free port', { form: 'port', default: '4010' }),
    textFlag('host', 'ADDRESS', 'address to listen on', { form: 'host', default: '127.0.0.1: this machine only' }),
    textFlag('allow-host', 'NAME', 'also accept requests for this host name, "*" for all', {
      form: 'hostName',
      type: 'stringArray',
    }),
    boolFlag('json', 'print one JSON object when ready: url, console, users (login, token, is_admin)'),
    textFlag('fixtures', 'DIR', 'seed data, one JSON file per kind, instead of the built-in seed', folder),
    textFlag('demo', 'STORY', 'seed data for a demo, with times relative to now or --now', {
      words: ['saas', 'onboarding'],
    }),
    textFlag('scale', 'N', 'with --demo: multiply the number of people, clusters and entries, up to 50', {
      form: 'count',
      default: '1',
    }),
    textFlag('routes', 'FILE', 'also serve the routes that this TypeScript or JavaScript file exports', {
      ...file,
      type: 'stringArray',
    }),
    boolFlag('watch', 'with --fixtures: apply changes to its files'),
    textFlag('persist', 'FILE', 'keep worlds and snapshots across restarts', file),
    textFlag('export', 'FILE', 'write the state of the default world to this file on exit', file),
    chartsFlag,
    textFlag('render-time', 'MS', 'time limit for rendering an Order, in milliseconds', {
      form: 'count',
      default: '10000',
    }),
    textFlag('render-output', 'BYTES', 'size limit for rendered output', { form: 'count', default: '67108864' }),
    textFlag('render-memory', 'MIB', 'memory limit for rendering an Order', { form: 'count', default: '512' }),
    textFlag('now', 'TIME', 'freeze the clock at this time', { form: 'time' }),
    textFlag('proxy', 'URL', 'forward requests for other addresses to this server', { form: 'server' }),
    textFlag(
      'record',
      'DIR',
      'with --proxy: record responses in this folder; without --fixtures, forward API requests too and record them as fixtures',
      folder,
    ),
    textFlag(
      'tls',
      'DIR',
      'serve HTTPS with key.pem and cert.pem in this folder; created, with a certificate authority in ca.pem, if missing',
      folder,
    ),
    boolFlag('coverage', 'print API coverage on exit'),
    textFlag('coverage-report', 'FILE', 'write an API coverage report to this .json or .md file on exit', {
      ...file,
      type: 'stringArray',
    }),
    boolFlag('no-console', 'do not serve the console at /'),
    boolFlag('log', 'log each request, without secrets'),
    ...globalFlags,
  ],
  offers: 'none',
  examples: [
    'drydock serve --port 0 --json',
    'drydock serve --fixtures ./fixtures --watch --persist state.json',
    'drydock serve --demo saas',
    'drydock serve --routes ./routes.ts',
    'drydock serve --coverage --coverage-report api-coverage.md',
    'drydock serve --set pageSize=10 --set confirmEmail=true',
    'drydock serve --proxy https://platform.example.com --record ./recorded',
    'drydock serve --tls ./tls  # and for Node clients: NODE_EXTRA_CA_CERTS=./tls/ca.pem',
  ],
  notes: [],
};

/** The command `verify`. */
export const verifySpec: CommandSpec = {
  name: 'verify',
  operands: '',
  summary: 'compare a real deployment with the emulator',
  about: [
    'Sends the same requests to a real deployment and to the emulator, and compares status codes, headers and the shapes of',
    'the responses: their members and types. Values are ignored and not reported.',
  ],
  flags: [
    textFlag('against', 'URL', 'the deployment, without /api/v1', { form: 'server' }),
    textFlag('token', 'TOKEN', 'the access token to call it with (default: $DRYDOCK_TOKEN)'),
    boolFlag('write', 'also make changes and revert them: an address, a credential, a follow'),
    textFlag('format', 'FORMAT', 'report format', { words: ['text', 'json', 'junit'] }),
    ...globalFlags,
  ],
  offers: 'none',
  examples: ['DRYDOCK_TOKEN=… drydock verify --against https://platform.example.com'],
  notes: ['Exit codes: 0 no difference, 1 differences, 2 wrong usage.'],
};

/** The command `openapi`. */
export const openapiSpec: CommandSpec = {
  name: 'openapi',
  operands: '',
  summary: 'print the OpenAPI document of the user API',
  about: [
    'Prints the OpenAPI 3.1 document of the user API, for client generators and documentation. Examples come from the',
    'built-in seed data.',
  ],
  flags: [
    textFlag('url', 'URL', 'the address of the server in the document, without /api/v1', {
      form: 'server',
      default: 'http://127.0.0.1:4010',
    }),
    textFlag('routes', 'FILE', 'include the routes that this TypeScript or JavaScript file exports', {
      ...file,
      type: 'stringArray',
    }),
    boolFlag('hosted', 'include routes of hosted deployments'),
    ...globalFlags,
  ],
  offers: 'none',
  examples: [
    'drydock openapi > openapi.json',
    'drydock openapi --url https://platform.example.com --routes ./routes.ts',
  ],
  notes: ['Exit codes: 0 success, 2 wrong usage.'],
};

/** The command `demo`. */
export const demoSpec: CommandSpec = {
  name: 'demo',
  operands: 'FOLDER [ORDER...]',
  summary: 'build a static site with the console, the emulator and the engine',
  about: [
    'Writes a folder for any static host, at any path: the console of serve, with the emulator and the engine in the',
    'page. Nothing that a visitor does leaves the browser. The first Order is opened at the start; all Orders are stored for',
    'the first user. Their charts are included, and those of --charts.',
    'FOLDER must be new, empty or an earlier demo, which is overwritten.',
  ],
  flags: [
    chartsFlag,
    textFlag('fixtures', 'DIR', 'seed data, one JSON file per kind, instead of the built-in seed', folder),
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock demo public',
    'drydock demo public order.yaml --charts ./charts',
    'drydock demo public --fixtures ./fixtures && npx http-server public',
  ],
  notes: ['Exit codes: 0 success, 1 an invalid Order, chart, fixtures or folder, 2 wrong usage.'],
};

/** The command `nats-config`. */
export const natsConfigSpec: CommandSpec = {
  name: 'nats-config',
  operands: '',
  summary: "print the configuration of a nats-server that accepts the emulator's credentials",
  about: [
    'Prints the configuration with which a nats-server accepts the messaging credentials of the emulator: an account for',
    'each user, who publishes and subscribes to user.ID.> and subscribes to notice.user.ID.>, notice.org.ID.> and notice.all.>; the',
    'admin, who subscribes to all users and publishes notices; JetStream for each of them; a websocket for pages.',
  ],
  flags: [
    { name: 'seed', type: 'string', default: 'drydock', help: 'the seed of the emulator' },
    textFlag('fixtures', 'DIR', 'the fixtures of the emulator (default: the built-in people)', { offers: 'folders' }),
    textFlag('listen', 'ADDRESS', 'where the server listens', { form: 'address', default: '127.0.0.1:4222' }),
    textFlag('websocket', 'ADDRESS', 'where pages connect', { form: 'address', default: '127.0.0.1:9222' }),
    textFlag('store', 'DIR', 'where JetStream keeps its streams', { offers: 'folders', default: 'nats-store' }),
    textFlag(
      'credentials',
      'WHO',
      'print a credentials file instead: for a login, for "admin", or for "system", which may use all of $SYS',
    ),
    ...globalFlags,
  ],
  offers: 'none',
  examples: [
    'drydock nats-config > nats.conf && nats-server --config nats.conf',
    'drydock serve --msgbus nats://127.0.0.1:4222 --msgbus ws://127.0.0.1:9222',
    'drydock nats-config --credentials system > sys.creds && nats --creds sys.creds server list',
  ],
  notes: ['Exit codes: 0 success, 2 wrong usage.'],
};

/** The command `init`. */
export const initSpec: CommandSpec = {
  name: 'init',
  operands: 'fixtures [DIR] | DIR',
  summary: "create a starter folder of fixtures, or copy msw's worker script into the folder of your pages",
  about: [
    'init fixtures [DIR] writes the built-in seed to DIR (default: fixtures), one file per kind, with settings and',
    'scenarios, for you to edit and serve. Each file names its schema, so that editors check and complete it.',
    "init DIR puts mockServiceWorker.js of your project's msw into DIR, from which your pages are served; it has to be there.",
  ],
  flags: [boolFlag('force', 'overwrite existing files'), ...globalFlags],
  offers: ['fixtures', 'public/'],
  examples: ['drydock init fixtures', 'drydock serve --fixtures fixtures --watch', 'drydock init public/'],
  notes: ['Exit codes: 0 success, 1 a file is there or something is missing; nothing was written then, 2 wrong usage.'],
};

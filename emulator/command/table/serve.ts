// The commands of the emulator: `serve`, whose flags for settings stand in setting-flags.ts, `demo` and `nats-config`. A pure table.

import type { CommandSpec } from './command.ts';
import { chartsFlag, globalFlags, jsonFlag } from './shared.ts';

/** The command `serve`, but for the flags of settings. */
export const serveSpec: CommandSpec = {
  name: 'serve',
  operands: '',
  summary: 'serve the emulator of the user API',
  about: ['Serves the emulator of the user API until it is stopped (Ctrl-C).'],
  flags: [
    {
      name: 'port',
      type: 'string',
      placeholder: 'N',
      form: 'port',
      default: '4010',
      help: 'port; 0 takes any free one',
    },
    {
      name: 'host',
      type: 'string',
      placeholder: 'ADDRESS',
      form: 'host',
      default: '127.0.0.1: this machine only',
      help: 'address to listen on',
    },
    {
      name: 'allow-host',
      type: 'stringArray',
      placeholder: 'NAME',
      form: 'hostName',
      help: 'let in requests for this host name too, "*" for all',
    },
    {
      name: 'json',
      type: 'bool',
      help: 'print one JSON object when ready: url, console, users (login, token, is_admin)',
    },
    {
      name: 'fixtures',
      type: 'string',
      placeholder: 'DIR',
      form: 'path',
      offers: 'folders',
      help: 'what a fresh emulator holds, one JSON file per kind, in place of the built-in seed',
    },
    { name: 'watch', type: 'bool', help: 'with --fixtures: apply what changes in its files' },
    {
      name: 'persist',
      type: 'string',
      placeholder: 'FILE',
      form: 'path',
      offers: 'files',
      help: 'keep every world and snapshot over restarts',
    },
    {
      name: 'export',
      type: 'string',
      placeholder: 'FILE',
      form: 'path',
      offers: 'files',
      help: 'write the state of the default world there at the end',
    },
    chartsFlag,
    {
      name: 'render-time',
      type: 'string',
      placeholder: 'MS',
      form: 'count',
      default: '10000',
      help: 'how long rendering an Order may take, in milliseconds',
    },
    {
      name: 'render-output',
      type: 'string',
      placeholder: 'BYTES',
      form: 'count',
      default: '67108864',
      help: 'how long what is rendered may be',
    },
    {
      name: 'render-memory',
      type: 'string',
      placeholder: 'MIB',
      form: 'count',
      default: '512',
      help: 'how much memory rendering an Order may take',
    },
    { name: 'now', type: 'string', placeholder: 'TIME', form: 'time', help: 'freeze the clock at this time' },
    {
      name: 'proxy',
      type: 'string',
      placeholder: 'URL',
      form: 'server',
      help: "ask this server for every address that is not the emulator's",
    },
    {
      name: 'record',
      type: 'bool',
      help: 'with --proxy and --fixtures: keep its answers in recorded.json of the folder',
    },
    {
      name: 'tls',
      type: 'string',
      placeholder: 'DIR',
      form: 'path',
      offers: 'folders',
      help: 'speak HTTPS with key.pem and cert.pem of this folder; made there, with an authority in ca.pem, if there are none',
    },
    { name: 'no-console', type: 'bool', help: 'leave out the console, the page at /' },
    { name: 'log', type: 'bool', help: 'print a line per request, without secrets' },
    ...globalFlags,
  ],
  offers: 'none',
  examples: [
    'drydock serve --port 0 --json',
    'drydock serve --fixtures ./fixtures --watch --persist state.json',
    'drydock serve --set pageSize=10 --set confirmEmail=true',
    'drydock serve --proxy https://platform.example.com --fixtures ./fixtures --record',
    'drydock serve --tls ./tls  # and for Node clients: NODE_EXTRA_CA_CERTS=./tls/ca.pem',
  ],
  notes: [],
};

/** The command `demo`. */
export const demoSpec: CommandSpec = {
  name: 'demo',
  operands: 'FOLDER [ORDER...]',
  summary: 'write the console with the emulator and the engine as a page for any static host',
  about: [
    'Writes a folder for any static host, below any path: the console that serve has, with the emulator and the engine in the',
    'page. Nothing that a visitor does leaves the browser. The first Order is what a visit begins with; all of them are stored in',
    'the name of the first user, and their charts come along, as do those of --charts.',
    'FOLDER is new, empty or holds a demo, which is written over.',
  ],
  flags: [
    chartsFlag,
    {
      name: 'fixtures',
      type: 'string',
      placeholder: 'DIR',
      form: 'path',
      offers: 'folders',
      help: 'what the emulator holds, one JSON file per kind, in place of the built-in seed',
    },
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock demo public',
    'drydock demo public order.yaml --charts ./charts',
    'drydock demo public --fixtures ./fixtures && npx http-server public',
  ],
  notes: ['Exit codes: 0 fine, 1 an Order, a chart, the fixtures or the folder are at fault, 2 wrong usage.'],
};

/** The command `nats-config`. */
export const natsConfigSpec: CommandSpec = {
  name: 'nats-config',
  operands: '',
  summary: "print the configuration of a nats-server that takes the emulator's credentials",
  about: [
    'Prints the configuration with which a nats-server accepts the messaging credentials of the emulator: an account for',
    'each person, who says and hears user.ID.> and hears notice.user.ID.>, notice.org.ID.> and notice.all.>; the admin, who',
    'hears every person and says the notices; JetStream for each of them; a websocket for pages.',
  ],
  flags: [
    { name: 'seed', type: 'string', default: 'drydock', help: 'the seed of the emulator' },
    {
      name: 'fixtures',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      help: 'the fixtures of the emulator (default: the built-in people)',
    },
    {
      name: 'listen',
      type: 'string',
      placeholder: 'ADDRESS',
      form: 'address',
      default: '127.0.0.1:4222',
      help: 'where the server listens',
    },
    {
      name: 'websocket',
      type: 'string',
      placeholder: 'ADDRESS',
      form: 'address',
      default: '127.0.0.1:9222',
      help: 'where pages connect',
    },
    {
      name: 'store',
      type: 'string',
      placeholder: 'DIR',
      offers: 'folders',
      default: 'nats-store',
      help: 'where JetStream keeps its streams',
    },
    {
      name: 'credentials',
      type: 'string',
      placeholder: 'WHO',
      help: 'print a credentials file instead: of a login, of "admin", or of "system", who may ask all of $SYS',
    },
    ...globalFlags,
  ],
  offers: 'none',
  examples: [
    'drydock nats-config > nats.conf && nats-server --config nats.conf',
    'drydock serve --msgbus nats://127.0.0.1:4222 --msgbus ws://127.0.0.1:9222',
    'drydock nats-config --credentials system > sys.creds && nats --creds sys.creds server list',
  ],
  notes: ['Exit codes: 0 fine, 2 wrong usage.'],
};

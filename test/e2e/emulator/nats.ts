// Tests that a real nats-server accepts the emulator's messaging credentials, enforces their permissions, and rejects
// tampered ones. `npm run test:e2e -- nats`. Needs nats-server on the PATH (Debian: apt-get install nats-server).

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../../../emulator/emulator.ts';
import { findUser } from '../../../emulator/store/people.ts';
import { check, freePort, installTools, temporaryFolder, until } from '../../../scripts/dev/tools/tools.ts';

/** The methods of the `nats` client that the test uses. */
interface NatsClient {
  connect(options: object): Promise<Connection>;
  credsAuthenticator(file: Uint8Array): unknown;
}

interface Connection {
  subscribe(
    subject: string,
    options?: { callback(error: Error | null, message: { readonly subject: string }): void },
  ): unknown;
  publish(subject: string, text: string): void;
  request(subject: string, text: string, options: { timeout: number }): Promise<unknown>;
  flush(): Promise<void>;
  close(): Promise<void>;
  status(): AsyncIterable<{ readonly permissionContext?: { readonly operation: string; readonly subject: string } }>;
  jetstream(): JetStream;
  jetstreamManager(): Promise<JetStreamManager>;
}

interface JetStream {
  publish(subject: string): Promise<{ readonly seq: number }>;
  readonly views: { kv(name: string): Promise<Bucket> };
}

interface Bucket {
  put(key: string, value: string): Promise<number>;
  get(key: string): Promise<{ string(): string } | null>;
}

interface JetStreamManager {
  readonly streams: {
    add(stream: object): Promise<unknown>;
    list(): AsyncIterable<{ readonly config: { readonly name: string } }>;
  };
}

/** A connection that records received messages and denied operations. */
interface Client {
  readonly connection: Connection;
  readonly received: string[];
  readonly denied: string[];
}

const { connect, credsAuthenticator } = (await installTools('nats', ['nats@2.29.3'])).load<NatsClient>('nats');
// The WebSocket client needs a global WebSocket, which Node 20 lacks.
const webTools = await installTools('nats-ws', ['nats.ws@1.30.3', 'ws@8.18.3']);
const [port, websocketPort] = [await freePort(), await freePort()];
const [servers, websocket] = [`127.0.0.1:${port}`, `127.0.0.1:${websocketPort}`];

const { store } = createEmulator().world();

function idOf(login: string): number {
  return findUser(store, login)?.id ?? 0;
}

async function credentials(seed: string, path: string): Promise<string> {
  const emulator = createEmulator({ seed, msgbusEndpoints: [`nats://${servers}`] });
  const headers = { Authorization: `token ${emulator.users()[0]?.token}` };
  const answer = (await (await emulator.fetch(`/api/v1/user/msgbus/${path}`, { headers })).json()) as {
    credentials: string;
  };
  return Buffer.from(answer.credentials, 'base64').toString();
}

function open(file: string): Promise<Connection> {
  const authenticator = credsAuthenticator(new TextEncoder().encode(file));
  return connect({ servers, authenticator, reconnect: false, timeout: 3000 });
}

async function openClient(file: string): Promise<Client> {
  const client: Client = { connection: await open(file), received: [], denied: [] };
  void (async () => {
    for await (const { permissionContext } of client.connection.status()) {
      if (permissionContext) client.denied.push(`${permissionContext.operation} ${permissionContext.subject}`);
    }
  })();
  return client;
}

async function isRejected(file: string): Promise<boolean> {
  try {
    await (await open(file)).close();
    return false;
  } catch (failure) {
    return /authorization|permissions/i.test(String((failure as Error).message));
  }
}

// A response to a flush means that the server has processed all earlier messages, and forwarded ones have been read.
async function settle(...clients: readonly Client[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const { connection } of clients) await connection.flush();
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function listen({ connection, received }: Client, subject: string): void {
  connection.subscribe(subject, { callback: (error, message) => void (error || received.push(message.subject)) });
}

async function command(...flags: readonly string[]): Promise<string> {
  const script = join(import.meta.dirname, '../../../emulator/cli/main.node.ts');
  return (await execa(process.execPath, ['--import', 'tsx', script, 'nats-config', ...flags])).stdout;
}

const organizations = store.organization.all();
const isOfAda = (organization: number): boolean =>
  store.membership.many('user', idOf('ada')).some((row) => row.organization === organization);

type Clients = Readonly<Record<'ada' | 'bob' | 'admin', Client>>;

async function checkSubscriptions(ada: Client): Promise<void> {
  const [adaId, bobId] = [idOf('ada'), idOf('bob')];
  const noticesOf = (isMember: boolean): string[] =>
    organizations.filter(({ id }) => isOfAda(id) === isMember).map(({ id }) => `notice.org.${id}.>`);
  const own = [`user.${adaId}.>`, `notice.user.${adaId}.>`, 'notice.all.>', '_INBOX.>', ...noticesOf(true)];
  const others = [`user.${bobId}.>`, `notice.user.${bobId}.>`, ...noticesOf(false)];
  const forbidden = ['>', '*', 'user.>', 'notice.>', '$SYS.>', '$JS.>', ...others];
  for (const subject of [...own, ...forbidden]) listen(ada, subject);
  await settle(ada);
  for (const subject of forbidden)
    check(`a user may not subscribe to ${subject}`, ada.denied.includes(`subscription ${subject}`));
  check('a user may subscribe to its own subjects', ada.denied.length === forbidden.length);
}

/** Publishes messages, and checks who receives each: nobody if the sender may not publish it. */
async function checkMessages(clients: Clients): Promise<void> {
  const [adaId, bobId] = [idOf('ada'), idOf('bob')];
  listen(clients.bob, `user.${bobId}.>`);
  listen(clients.bob, `notice.user.${bobId}.>`);
  listen(clients.bob, '_INBOX.>');
  listen(clients.admin, '>');
  await settle(clients.bob, clients.admin);
  const rows: readonly (readonly [sender: keyof Clients, subject: string, receivers: string])[] = [
    ['ada', `user.${adaId}.hello`, 'ada admin'],
    ['bob', `user.${bobId}.hello`, 'bob admin'],
    ['ada', '_INBOX.someone.1', 'ada'],
    ['ada', `user.${bobId}.hello`, ''],
    ['ada', `notice.user.${bobId}.x`, ''],
    ['ada', 'notice.all.x', ''],
    ['ada', 'greeting', ''],
    ['ada', '$SYS.REQ.SERVER.PING', ''],
    ['admin', `notice.user.${bobId}.x`, 'bob admin'],
    ['admin', 'notice.all.x', 'ada admin'],
    // In the account of the admin only.
    ['admin', `user.${bobId}.x`, 'admin'],
    ...organizations.map(({ id }) => ['admin', `notice.org.${id}.x`, isOfAda(id) ? 'ada admin' : 'admin'] as const),
  ];
  for (const [sender, subject, receivers] of rows) {
    const { connection, denied } = clients[sender];
    for (const { received } of Object.values(clients)) received.length = 0;
    connection.publish(subject, 'hello');
    await settle(clients[sender], ...Object.values(clients));
    const found = Object.entries(clients).flatMap(([name, { received }]) => (received.includes(subject) ? [name] : []));
    const isDenied = denied.includes(`publish ${subject}`);
    check(
      `${subject} of ${sender} is received by: ${found.join(' ') || 'nobody'}`,
      found.join(' ') === receivers && isDenied === (receivers === ''),
    );
  }
}

async function checkServices({ ada, bob, admin }: Clients, system: Client): Promise<void> {
  const ping = ({ connection }: Client): Promise<boolean> =>
    connection.request('$SYS.REQ.SERVER.PING', '', { timeout: 1000 }).then(
      () => true,
      () => false,
    );
  const answered = await Promise.all([admin, system, ada].map(ping));
  check('the admin and the system may request $SYS, a user may not', answered.join() === 'true,true,false');
  for (const [subject, { connection }] of [
    ['notice.all.stored', admin],
    [`user.${idOf('ada')}.stored`, ada],
  ] as const) {
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: 'STORED', subjects: [subject], storage: 'memory' });
    check(`a stream stores ${subject}`, (await connection.jetstream().publish(subject)).seq === 1);
  }
  const bucket = await ada.connection.jetstream().views.kv('settings');
  await bucket.put('theme', 'dark');
  check('a user can use key-value buckets', (await bucket.get('theme'))?.string() === 'dark');
  const names: string[] = [];
  for await (const { config } of (await bob.connection.jetstreamManager()).streams.list()) names.push(config.name);
  check('other users do not see the stream', names.length === 0);
}

async function checkWebsocket(file: string): Promise<void> {
  Object.assign(globalThis, { WebSocket: webTools.load('ws') });
  const { connect: connectPage, credsAuthenticator: authenticate } = webTools.load<NatsClient>('nats.ws');
  const authenticator = authenticate(new TextEncoder().encode(file));
  const connection = await connectPage({ servers: `ws://${websocket}`, authenticator, reconnect: false });
  await connection.flush();
  check('a page connects with WebSocket', true);
  await connection.close();
}

async function checkTampering(ada: string, bob: string): Promise<void> {
  const key = /\nSU\w+\n/;
  check("a token with another user's key is rejected", await isRejected(ada.replace(key, key.exec(bob)?.[0] ?? '')));
  const [, body = ''] = /\n(ey\S+)\n/.exec(ada) ?? [];
  const changed = ada.replace(body, `${body.slice(0, -20)}${'A'.repeat(20)}`);
  check('a token with a changed signature is rejected', await isRejected(changed));
  const claims = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...claims, name: 'admin' })).toString('base64url');
  check('a token with changed claims is rejected', await isRejected(ada.replace(body.split('.')[1] ?? '', forged)));
  check('credentials of another seed are rejected', await isRejected(await credentials('other', 'credentials')));
}

const folder = temporaryFolder('drydock-nats-');
await writeFile(
  join(folder, 'nats.conf'),
  await command('--listen', servers, '--websocket', websocket, '--store', join(folder, 'store')),
);
const server = execa('nats-server', ['--config', join(folder, 'nats.conf')], { reject: false, stderr: 'ignore' });
try {
  const adaFile = await credentials('drydock', 'credentials');
  const bobFile = await credentials('drydock', 'user_credentials?user=bob');
  await until('nats-server accepts connections', async () => {
    await (await open(adaFile)).close();
    return true;
  });
  check(
    '`nats-config --credentials` prints the same credentials as the API',
    `${await command('--credentials', 'Ada')}\n` === adaFile,
  );
  const [ada, bob] = [await openClient(adaFile), await openClient(bobFile)];
  const admin = await openClient(await credentials('drydock', 'admin_credentials'));
  const system = await openClient(await command('--credentials', 'system'));
  await checkSubscriptions(ada);
  await checkMessages({ ada, bob, admin });
  await checkServices({ ada, bob, admin }, system);
  for (const { connection } of [ada, bob, admin, system]) await connection.close();
  await checkWebsocket(adaFile);
  await checkTampering(adaFile, bobFile);
} finally {
  server.kill();
  await server;
}

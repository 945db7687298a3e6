// Tests that a real nats-server accepts the emulator's messaging credentials, enforces their permissions, and rejects
// tampered ones. `npm run test:e2e -- nats`. Needs nats-server on the PATH (Debian: apt-get install nats-server).

import { writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
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

interface Message {
  readonly subject: string;
  json<T>(): T;
}

interface Connection {
  subscribe(subject: string, options?: { callback(error: Error | null, message: Message): void }): unknown;
  publish(subject: string, text: string): void;
  request(subject: string, text: string, options: { timeout: number }): Promise<Message>;
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

function replaceSeed(file: string, other: string): string {
  const seed = /\n(SU\w+)\n/;
  return file.replace(seed, `\n${seed.exec(other)?.[1]}\n`);
}

async function command(...flags: readonly string[]): Promise<string> {
  const script = join(import.meta.dirname, '../../../emulator/cli/main.node.ts');
  return (await execa(process.execPath, ['--import', 'tsx', script, 'nats-config', ...flags])).stdout;
}

async function checkUsers(ada: Client, bob: Client, admin: Client): Promise<void> {
  const [adaId, bobId] = [idOf('ada'), idOf('bob')];
  const allowed = [`user.${adaId}.>`, `notice.user.${adaId}.>`, 'notice.all.>', '_INBOX.>'];
  const denied = ['>', '*', 'user.>', `user.${bobId}.>`, `notice.user.${bobId}.>`, 'notice.>', '$SYS.>', '$JS.>'];
  for (const subject of [...allowed, ...denied]) listen(ada, subject);
  await settle(ada);
  for (const subject of allowed)
    check(`a user may subscribe to ${subject}`, !ada.denied.includes(`subscription ${subject}`));
  for (const subject of denied)
    check(`a user may not subscribe to ${subject}`, ada.denied.includes(`subscription ${subject}`));

  listen(bob, `user.${bobId}.>`);
  listen(bob, `notice.user.${bobId}.>`);
  listen(bob, '_INBOX.>');
  listen(admin, '>');
  await settle(bob, admin);
  const subjects = [`user.${adaId}.hello`, '_INBOX.someone.1'];
  const forbidden = [
    `user.${bobId}.hello`,
    `notice.user.${bobId}.x`,
    'notice.all.x',
    'greeting',
    '$SYS.REQ.SERVER.PING',
  ];
  for (const subject of [...subjects, ...forbidden]) ada.connection.publish(subject, 'hello');
  await settle(ada, bob, admin);
  for (const subject of subjects) check(`a user may publish to ${subject}`, !ada.denied.includes(`publish ${subject}`));
  for (const subject of forbidden)
    check(`a user may not publish to ${subject}`, ada.denied.includes(`publish ${subject}`));
  check('a user receives its own messages', ada.received.includes(`user.${adaId}.hello`));
  check('another user receives neither them nor messages to the inbox', bob.received.length === 0);
  check('the admin receives the messages of a user', admin.received.includes(`user.${adaId}.hello`));
  bob.connection.publish(`user.${bobId}.hello`, 'hello');
  await settle(bob, admin);
  check('the admin receives the messages of another user', admin.received.includes(`user.${bobId}.hello`));
  check(
    'a user does not receive the messages of another user',
    !ada.received.some((subject) => subject.includes(`.${bobId}.`)),
  );

  for (const subject of [`notice.user.${bobId}.x`, 'notice.all.x', `user.${bobId}.x`]) {
    admin.connection.publish(subject, 'news');
  }
  await settle(admin, ada, bob);
  check('a notice to a user reaches that user', bob.received.includes(`notice.user.${bobId}.x`));
  check('a notice to a user does not reach another user', !ada.received.includes(`notice.user.${bobId}.x`));
  check('a notice to all reaches a user', ada.received.includes('notice.all.x'));
  check('the admin cannot publish as a user', !bob.received.includes(`user.${bobId}.x`));
}

async function checkOrganizations(ada: Client, admin: Client): Promise<void> {
  const mine = new Set(store.membership.many('user', idOf('ada')).map((row) => row.organization));
  for (const { id: organization, username } of store.organization.all()) {
    const subject = `notice.org.${organization}.x`;
    listen(ada, `notice.org.${organization}.>`);
    await settle(ada);
    admin.connection.publish(subject, 'news');
    await settle(admin, ada);
    const isReceived = ada.received.includes(subject);
    if (mine.has(organization)) check(`a notice to ${username} reaches a member`, isReceived);
    else check(`a notice to ${username} does not reach other users`, !isReceived);
  }
}

async function checkServices(ada: Client, bob: Client, admin: Client, system: Client): Promise<void> {
  const ask = (client: Client, subject: string): Promise<Message> =>
    client.connection.request(subject, '', { timeout: 1000 });
  for (const subject of ['$SYS.REQ.SERVER.PING', '$SYS.REQ.SERVER.PING.CONNZ', '$SYS.REQ.SERVER.PING.VARZ']) {
    for (const [name, client] of Object.entries({ admin, system })) {
      const { server } = (await ask(client, subject)).json<{ server?: { name?: string } }>();
      check(`${name} may request ${subject}`, typeof server?.name === 'string');
    }
    check(
      `a user may not request ${subject}`,
      await ask(ada, subject).then(
        () => false,
        () => true,
      ),
    );
  }
  for (const [name, { connection }] of Object.entries({ ada, admin })) {
    const manager = await connection.jetstreamManager();
    const subject = name === 'admin' ? 'notice.all.stored' : `user.${idOf('ada')}.stored`;
    await manager.streams.add({ name: 'STORED', subjects: [subject], storage: 'memory' });
    check(`${name} can create a stream`, (await connection.jetstream().publish(subject)).seq === 1);
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
  check("a token with another user's key is rejected", await isRejected(replaceSeed(ada, bob)));
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
  const isUp = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connectSocket(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('data', () => socket.destroy());
    });
  await until('nats-server accepts connections', isUp);
  const [adaFile, bobFile] = [
    await credentials('drydock', 'credentials'),
    await credentials('drydock', 'user_credentials?user=bob'),
  ];
  check(
    '`nats-config --credentials` prints the same credentials as the API',
    `${await command('--credentials', 'Ada')}\n` === adaFile,
  );
  const [ada, bob] = [await openClient(adaFile), await openClient(bobFile)];
  const admin = await openClient(await credentials('drydock', 'admin_credentials'));
  const system = await openClient(await command('--credentials', 'system'));
  await checkUsers(ada, bob, admin);
  await checkOrganizations(ada, admin);
  await checkServices(ada, bob, admin, system);
  for (const { connection } of [ada, bob, admin, system]) await connection.close();
  await checkWebsocket(adaFile);
  await checkTampering(adaFile, bobFile);
} finally {
  server.kill();
  await server;
}

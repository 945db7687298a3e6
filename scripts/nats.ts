// Proof: a real nats-server takes the emulator's messaging credentials and refuses tampered ones. `npm run nats`
// Needs nats-server in the path (Debian: apt-get install nats-server).

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createEmulator } from '../emulator/emulator.ts';
import { freePort, installTools, prove, until } from './tools.ts';

/** The part of the `nats` client that the proof uses. */
interface NatsClient {
  connect(options: object): Promise<Connection>;
  credsAuthenticator(file: Uint8Array): unknown;
}

interface Connection {
  subscribe(subject: string, options: { max: number; timeout?: number }): AsyncIterable<{ string(): string }>;
  publish(subject: string, text: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const { connect, credsAuthenticator } = (await installTools('nats', ['nats@2.29.3'])).load<NatsClient>('nats');
const port = await freePort();
const servers = `127.0.0.1:${port}`;

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

async function isRefused(file: string): Promise<boolean> {
  try {
    await (await open(file)).close();
    return false;
  } catch (failure) {
    return /authorization|permissions/i.test(String((failure as Error).message));
  }
}

/** Publishes from one connection and tells whether another hears it. */
async function hears(listener: Connection, speaker: Connection): Promise<boolean> {
  const subscription = listener.subscribe('greeting', { max: 1, timeout: 500 });
  await listener.flush();
  speaker.publish('greeting', 'hello');
  await speaker.flush();
  try {
    for await (const message of subscription) return message.string() === 'hello';
  } catch {
    return false;
  }
  return false;
}

function replaceSeed(file: string, other: string): string {
  const seed = /\n(SU\w+)\n/;
  return file.replace(seed, `\n${seed.exec(other)?.[1]}\n`);
}

const folder = await mkdtemp(join(tmpdir(), 'drydock-nats-'));
const command = [join(import.meta.dirname, '../emulator/command/main.node.ts'), 'nats-config', '--listen', servers];
const { stdout: config } = await execa(process.execPath, ['--import', 'tsx', ...command]);
await writeFile(join(folder, 'nats.conf'), config);
const server = execa('nats-server', ['--config', join(folder, 'nats.conf')], { reject: false, stderr: 'ignore' });
try {
  const isUp = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connectSocket(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('data', () => socket.destroy());
    });
  await until('nats-server', isUp);
  const [ada, bob] = [
    await credentials('drydock', 'credentials'),
    await credentials('drydock', 'user_credentials?user=bob'),
  ];
  const [one, two] = [await open(ada), await open(bob)];
  prove('a member is let in and hears another', await hears(one, two));
  const admin = await open(await credentials('drydock', 'admin_credentials'));
  prove('the admin is let in, to an account of its own', !(await hears(admin, one)));
  for (const connection of [one, two, admin]) await connection.close();
  prove("a token with another user's key is refused", await isRefused(replaceSeed(ada, bob)));
  const [, body = ''] = /\n(ey\S+)\n/.exec(ada) ?? [];
  prove(
    'a token with a changed signature is refused',
    await isRefused(ada.replace(body, `${body.slice(0, -20)}${'A'.repeat(20)}`)),
  );
  const claims = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...claims, name: 'admin' })).toString('base64url');
  prove('a token with changed claims is refused', await isRefused(ada.replace(body.split('.')[1] ?? '', forged)));
  prove('credentials of another seed are refused', await isRefused(await credentials('other', 'credentials')));
} finally {
  server.kill();
  await server;
  await rm(folder, { recursive: true });
}

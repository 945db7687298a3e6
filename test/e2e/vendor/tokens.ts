// The token server of a registry, and a proxy that resolves the host names of the test.

import { createSign, randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { listen, type Running } from '../../support/loopback.ts';
import { type Certificate, user } from './servers.ts';

/** The refresh token that a credential helper returns. */
export const refreshToken = 'a-token-to-be-exchanged';

/** Starts a token server that accepts Basic authentication with GET and refresh tokens with POST, as in the distribution specification. */
export async function startTokens(certificate: Certificate): Promise<Running> {
  const [key, cert] = [readFileSync(certificate.keyFile), readFileSync(certificate.caFile)];
  const server = createSecureServer({ key, cert }, (incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const { searchParams } = new URL(incoming.url ?? '/', 'https://token');
      const form = incoming.method === 'POST' ? new URLSearchParams(body) : searchParams;
      if (!isKnown(incoming, form)) return void response.writeHead(401).end('{}');
      const token = signToken(form.get('scope') ?? '', { key, cert });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ token, access_token: token }));
    });
  });
  return listen(server);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

function isKnown({ method, headers }: IncomingMessage, form: URLSearchParams): boolean {
  const basic = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  if (method !== 'POST') return headers.authorization === basic;
  if (form.get('grant_type') === 'refresh_token') return form.get('refresh_token') === refreshToken;
  return form.get('username') === user.name && form.get('password') === user.password;
}

function signToken(scope: string, { key, cert }: { readonly key: Buffer; readonly cert: Buffer }): string {
  const [type = '', name = '', actions = ''] = scope.split(':');
  const now = Math.floor(Date.now() / 1000);
  const head = { typ: 'JWT', alg: 'RS256', x5c: [new X509Certificate(cert).raw.toString('base64')] };
  const claims = {
    iss: 'test',
    aud: 'test',
    sub: user.name,
    iat: now,
    nbf: now - 60,
    exp: now + 300,
    jti: randomUUID(),
    access: type === '' ? [] : [{ type, name, actions: actions.split(',') }],
  };
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
}

/** A running proxy. */
export interface NamedProxy extends Running {
  /** The `HOST:PORT` of each request. */
  readonly targets: string[];
}

/** Starts a proxy that resolves hosts by name. If a request has credentials, they must be `ada:lovelace`. */
export async function startProxy(hosts: ReadonlyMap<string, string>): Promise<NamedProxy> {
  const targets: string[] = [];
  const targetOf = (incoming: IncomingMessage, target: string): string | undefined => {
    targets.push(target);
    const given = incoming.headers['proxy-authorization'];
    const isAllowed = given === undefined || given === `Basic ${Buffer.from('ada:lovelace').toString('base64')}`;
    return isAllowed ? hosts.get(target) : undefined;
  };
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://proxy');
    const host = targetOf(incoming, `${url.hostname}:${url.port || '80'}`);
    if (host === undefined) return void response.writeHead(407).end();
    const forward = request(`http://${host}${url.pathname}${url.search}`, { headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forward.end();
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    const host = targetOf(incoming, incoming.url ?? '');
    if (host === undefined) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [address = '', port = ''] = host.split(':');
    const upstream = connect(Number(port), address, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  return { ...(await listen(server)), targets };
}

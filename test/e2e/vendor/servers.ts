// Servers for the tests of `vendor`: Debian's docker-registry, with and without TLS and authentication, and a static server that can fail.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join, normalize } from 'node:path';
import { execa } from 'execa';
import { freePort, until } from '../../../scripts/dev/tools/tools.ts';
import { listen, type Running } from '../../support/loopback.ts';

/** The user of the registry with passwords. */
export const user = { name: 'ada', password: 'lovelace 1815' } as const;

/** The PEM files of a self-signed certificate and its key. */
export interface Certificate {
  readonly keyFile: string;
  readonly caFile: string;
}

/** Creates a certificate for names (`DNS:…`, `IP:…`) in a folder. */
export async function makeCertificate(folder: string, names: readonly string[]): Promise<Certificate> {
  const [keyFile, caFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.join(',')}`];
  const flags = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', caFile];
  await execa('openssl', ['req', ...flags, ...subject]);
  return { keyFile, caFile };
}

/** How a registry authenticates: with a password, or with a token from another server. */
export type RegistryAuth = 'none' | 'password' | { readonly realm: string; readonly certificate: Certificate };

/** Starts docker-registry with its data in a folder. With authentication, it uses TLS. */
export async function startRegistry(
  folder: string,
  auth: RegistryAuth,
): Promise<Running & { readonly caFile: string }> {
  const host = `127.0.0.1:${await freePort()}`;
  let http = `http: {addr: "${host}"}\n`;
  let caFile = '';
  if (auth !== 'none') {
    const isPassword = auth === 'password';
    const own = isPassword ? await makeCertificate(folder, ['IP:127.0.0.1']) : auth.certificate;
    const users = join(folder, 'htpasswd');
    const authentication = isPassword
      ? `htpasswd: {realm: test, path: ${users}}`
      : `token: {realm: "${auth.realm}", service: test, issuer: test, rootcertbundle: ${own.caFile}}`;
    if (isPassword) await writeFile(users, `${(await execa('htpasswd', ['-nbB', user.name, user.password])).stdout}\n`);
    caFile = own.caFile;
    http = `http: {addr: "${host}", tls: {certificate: ${caFile}, key: ${own.keyFile}}}\nauth: {${authentication}}\n`;
  }
  const config = join(folder, 'registry.yml');
  await writeFile(
    config,
    `version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: ${join(folder, 'data')}}}\n${http}`,
  );
  const child = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const [address = '', port = ''] = host.split(':');
  await until('docker-registry listens', () => connects(address, Number(port)), 20);
  return {
    host,
    caFile,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

function connects(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Handles a request to a static server. Returns false to respond as usual. */
export type Fault = (request: IncomingMessage, response: ServerResponse, file: Buffer) => false | undefined;

/** A static server that can fail. */
export interface StaticServer extends Running {
  fault: Fault;
  /** The Authorization header of each request; empty if there is none. */
  readonly authorizations: string[];
}

/** Starts a server for the files in a folder, with support for range requests. */
export async function startStatic(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    running.authorizations.push(request.headers.authorization ?? '');
    const path = join(folder, normalize(new URL(request.url ?? '/', 'http://host').pathname));
    if (!existsSync(path)) return void response.writeHead(404).end();
    const file = readFileSync(path);
    if (running.fault(request, response, file) === false) sendFile(request, response, file);
  });
  const running: StaticServer = { ...(await listen(server)), fault: () => false, authorizations: [] };
  return running;
}

/** Responds with a file or the requested rest of it, and closes the connection after at most `limit` bytes. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: Buffer,
  limit = Number.POSITIVE_INFINITY,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const part = file.subarray(from);
  const range = from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, etag: '"one"', ...range });
  if (limit >= part.length) response.end(part);
  else response.write(part.subarray(0, limit), () => setImmediate(() => response.destroy()));
}

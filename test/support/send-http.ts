// Sends rows of the API document over a port. node:http can send the body of a GET, which fetch refuses.

import http from 'node:http';
import { type ApiAnswer, readAnswer, type Send } from './api-run.ts';

/** Returns a function that sends requests to an address such as `http://127.0.0.1:4010`. */
export function sendHttp(url: string): Send {
  return (method, path, headers, body) =>
    new Promise<ApiAnswer>((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const request = http.request(url + path, { method, headers: { ...headers, ...length } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const header = (name: string): string | null => String(response.headers[name.toLowerCase()] ?? '') || null;
          resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString(), header));
        });
      });
      request.on('error', reject);
      request.end(body);
    });
}

// The standard input of this process.

import { decodeUtf8 } from '../go/utf8.ts';

/** Reads standard input to its end, as text. */
export async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return decodeUtf8(Buffer.concat(chunks));
}

// Packs fixture charts with the real Helm and serves them as a chart repository on this machine.

import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { chartsDirectory } from '../../support/orders.ts';

/** Serves charts by the names of their folders; `folder` is for the archives. Close it when done. */
export async function serveRepository(
  helm: string,
  charts: readonly string[],
  folder: string,
): Promise<{ readonly url: string; readonly close: () => void }> {
  await mkdir(folder, { recursive: true });
  for (const chart of charts) await execa(helm, ['package', join(chartsDirectory, chart), '--destination', folder]);
  await execa(helm, ['repo', 'index', folder]);
  const server = createServer((request, response) => {
    const file = createReadStream(join(folder, basename(request.url ?? '')));
    file.on('error', () => response.writeHead(404).end());
    file.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/charts`, close: () => void server.close() };
}

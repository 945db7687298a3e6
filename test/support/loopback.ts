// Servers of tests, on a free port of 127.0.0.1.

import type { AddressInfo, Server } from 'node:net';

/** A running server. */
export interface Running {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Starts a server of `node:http`, `node:https` or `node:net`. `stop` closes its connections too. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections?.();
    },
  };
}

// The messaging of an emulator in the formats of NATS: a server's configuration and credentials files.

import { optionsOf, text } from '../render/core/arguments.ts';
import { checkArguments, emulatorArgument } from './core/arguments.ts';
import type { Emulator } from './emulator.ts';
import type { NatsConfigOptions } from './keys/nats.ts';
import { findUser, natsPerson } from './store/people.ts';

export type { NatsConfigOptions } from './keys/nats.ts';

const configOptions = optionsOf<NatsConfigOptions>({ listen: text, websocket: text, store: text });

/**
 * Returns the configuration of a nats-server that accepts the messaging credentials of the people in the default world. It depends on the
 * emulator's `seed` and its people only. Rejects with an `EmulatorError` (ARGUMENT_INVALID).
 *
 * @example
 * await writeFile('nats.conf', await natsConfig(createEmulator()));
 */
export async function natsConfig(emulator: Emulator, options: NatsConfigOptions = {}): Promise<string> {
  checkArguments('natsConfig', ['emulator', emulator, emulatorArgument], ['options', options, configOptions]);
  const { natsServerConfig } = await import('./keys/nats.ts');
  const { store } = emulator.world();
  const people = store.user.all().map((user) => natsPerson(store, user));
  return natsServerConfig(emulator.settings.seed, people, options);
}

/**
 * Returns the NATS credentials file of a person in the default world, of `admin`, who receives the messages of everyone, or of `system`,
 * who can use all of `$SYS`; undefined for an unknown login. Rejects with an `EmulatorError` (ARGUMENT_INVALID).
 *
 * @example
 * const credentials = await natsCredentials(createEmulator(), 'ada');
 */
export async function natsCredentials(emulator: Emulator, login: string): Promise<string | undefined> {
  checkArguments('natsCredentials', ['emulator', emulator, emulatorArgument], ['login', login, text]);
  const { personCredentials, staffCredentials } = await import('./keys/nats.ts');
  const { seed } = emulator.settings;
  if (login === 'admin' || login === 'system') return staffCredentials(seed, login);
  const { store } = emulator.world();
  const user = findUser(store, login);
  return user && personCredentials(seed, natsPerson(store, user));
}

// The program `drydock`: the commands of the engine and those of the emulator.

import { renderCommands, toolCommands } from '../../render/cli/commands.node.ts';
import { commandEntry, type Program } from '../../render/cli/program.ts';
import { demoSpec, initSpec, natsConfigSpec, openapiSpec, serveSpec, verifySpec } from './table.ts';

export const program: Program = {
  commands: [
    ...renderCommands,
    {
      ...commandEntry(serveSpec, async () => (await import('./serve.node.ts')).serveCommand),
      // Its settings need the schemas of the emulator.
      spec: async () => (await import('./settings.ts')).withSettings(serveSpec),
    },
    commandEntry(openapiSpec, async () => (await import('./openapi.node.ts')).openapiCommand),
    commandEntry(verifySpec, async () => (await import('./verify/verify-command.node.ts')).verifyCommand),
    commandEntry(demoSpec, async () => (await import('./demo.node.ts')).demoCommand, { isConfigured: false }),
    commandEntry(natsConfigSpec, async () => (await import('./nats-config.node.ts')).natsConfigCommand),
    commandEntry(initSpec, async () => (await import('./init.node.ts')).initCommand, { isConfigured: false }),
    ...toolCommands,
  ],
  configuredDefaults: async (...args) =>
    (await import('../../render/cli/config/load.node.ts')).configuredDefaults(...args),
  settingIssues: async (settings) => (await import('../settings.ts')).settingIssues(settings),
};

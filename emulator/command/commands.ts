// Every command. What is heavy to tell of one is loaded when it is asked for.

import type { CommandHeading, CommandSpec } from './table/command.ts';
import { coverageSpec } from './table/coverage.ts';
import { diffSpec } from './table/diff.ts';
import { explainSpec } from './table/explain.ts';
import { impactSpec } from './table/impact.ts';
import { dependencySpec, lintSpec, showSpec } from './table/inspect.ts';
import { mergeSpec } from './table/merge.ts';
import { checkSpec, importSpec, renderSpec } from './table/orders.ts';
import { bundleSpec, sealSpec } from './table/seal.ts';
import { demoSpec, natsConfigSpec, serveSpec } from './table/serve.ts';
import { snapshotSpec } from './table/snapshot.ts';
import { templateSpec } from './table/template.ts';
import { asHelm4, asksForHelm4, templateSpec4 } from './table/template-4.ts';
import { completionSpec, doctorSpec, helpSpec, initSpec, versionSpec } from './table/tools.ts';
import { unittestSpec } from './table/unittest.ts';
import { vendorSpec } from './table/vendor.ts';

/** A command in the list of all. */
export interface CommandEntry {
  readonly heading: CommandHeading;
  /** Returns all that is told of it; its flags may depend on the words of a command line. */
  readonly spec: (words?: readonly string[]) => Promise<CommandSpec>;
  /** Whether a configuration file has a part for it. */
  readonly isConfigured: boolean;
}

const entry = (spec: CommandSpec, isConfigured: boolean): CommandEntry => ({
  heading: spec,
  spec: async () => spec,
  isConfigured,
});

// What a command of Helm prints is Helm's, so a configuration file has no part for it.
const helmEntry = (spec: CommandSpec, spec4 = asHelm4(spec)): CommandEntry => ({
  heading: spec,
  spec: async (words = []) => (asksForHelm4(words) ? spec4 : spec),
  isConfigured: false,
});

/** The commands, in the order of help. */
export const commands: readonly CommandEntry[] = [
  helmEntry(templateSpec, templateSpec4),
  helmEntry(lintSpec),
  helmEntry(showSpec),
  helmEntry(dependencySpec),
  entry(renderSpec, true),
  entry(checkSpec, true),
  entry(snapshotSpec, true),
  entry(unittestSpec, true),
  entry(mergeSpec, false),
  entry(diffSpec, true),
  entry(explainSpec, true),
  entry(impactSpec, true),
  entry(coverageSpec, true),
  entry(importSpec, false),
  entry(vendorSpec, true),
  entry(sealSpec, true),
  entry(bundleSpec, true),
  {
    heading: serveSpec,
    // The settings bring the schemas of the emulator along.
    spec: async () => (await import('./serving/settings.ts')).withSettings(serveSpec),
    isConfigured: true,
  },
  entry(demoSpec, false),
  entry(natsConfigSpec, true),
  entry(initSpec, false),
  entry(doctorSpec, false),
  entry(completionSpec, false),
  entry(versionSpec, false),
  entry(helpSpec, false),
];

/** Returns the command with a name or alias; undefined if there is none. */
export function findCommand(name: string): CommandEntry | undefined {
  return commands.find(({ heading }) => heading.name === name || heading.aliases?.includes(name));
}

/** Returns all that is told of every command, for texts that are made from it. */
export function allSpecs(): Promise<readonly CommandSpec[]> {
  return Promise.all(commands.map(({ spec }) => spec()));
}

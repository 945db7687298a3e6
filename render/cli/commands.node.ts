// The commands of the engine, and those about drydock itself. Each is loaded on demand.

import { type CommandEntry, commandEntry, helmEntry } from './program.ts';
import { casesSpec, coverageSpec, schemaSpec, unittestSpec } from './table/charts.ts';
import { explainSpec, imagesSpec, impactSpec, upgradeCheckSpec, valuesSpec } from './table/explain.ts';
import { dependencySpec, lintSpec, showSpec } from './table/inspect.ts';
import { checkSpec, importSpec, renderSpec } from './table/orders.ts';
import { diffSpec, mergeReportsSpec, snapshotSpec } from './table/snapshot.ts';
import { templateSpec, templateSpec4 } from './table/template.ts';
import { completionSpec, doctorSpec, helpSpec, languageServerSpec, versionSpec } from './table/tools.ts';
import { bundleSpec, pinSpec, vendorSpec } from './table/vendor.ts';

const unconfigured = { isConfigured: false };

/** The commands of the engine, in the order of help. */
export const renderCommands: readonly CommandEntry[] = [
  helmEntry(templateSpec, async () => (await import('./rendering/template.node.ts')).templateCommand, templateSpec4),
  helmEntry(lintSpec, async () => (await import('./rendering/inspect.node.ts')).lintCommand),
  helmEntry(showSpec, async () => (await import('./rendering/inspect.node.ts')).showCommand),
  helmEntry(dependencySpec, async () => (await import('./rendering/inspect.node.ts')).dependencyCommand),
  commandEntry(renderSpec, async () => (await import('./rendering/render.node.ts')).renderCommand),
  commandEntry(checkSpec, async () => (await import('./rendering/check.node.ts')).checkCommand),
  commandEntry(snapshotSpec, async () => (await import('./comparing/snapshot.node.ts')).snapshotCommand),
  commandEntry(unittestSpec, async () => (await import('./rendering/unittest.node.ts')).unittestCommand),
  commandEntry(
    mergeReportsSpec,
    async () => (await import('./comparing/merge-reports.node.ts')).mergeReportsCommand,
    unconfigured,
  ),
  commandEntry(diffSpec, async () => (await import('./comparing/diff.node.ts')).diffCommand),
  commandEntry(upgradeCheckSpec, async () => (await import('./rendering/upgrade-check.node.ts')).upgradeCheckCommand),
  commandEntry(explainSpec, async () => (await import('./rendering/explain.node.ts')).explainCommand),
  commandEntry(impactSpec, async () => (await import('./rendering/explain.node.ts')).impactCommand),
  commandEntry(valuesSpec, async () => (await import('./rendering/values.node.ts')).valuesCommand),
  commandEntry(coverageSpec, async () => (await import('./rendering/coverage.node.ts')).coverageCommand),
  commandEntry(casesSpec, async () => (await import('./rendering/generate-cases.node.ts')).casesCommand),
  commandEntry(schemaSpec, async () => (await import('./rendering/generate-cases.node.ts')).schemaCommand),
  commandEntry(imagesSpec, async () => (await import('./rendering/images.node.ts')).imagesCommand),
  commandEntry(languageServerSpec, async () => (await import('./tools/language-server.node.ts')).languageServerCommand),
  commandEntry(importSpec, async () => (await import('./rendering/import.node.ts')).importCommand, unconfigured),
  commandEntry(vendorSpec, async () => (await import('./vendoring/vendor.node.ts')).vendorCommand),
  commandEntry(pinSpec, async () => (await import('./rendering/pin.node.ts')).pinCommand),
  commandEntry(bundleSpec, async () => (await import('./rendering/pin.node.ts')).bundleCommand),
];

/** The commands about drydock itself, in the order of help. */
export const toolCommands: readonly CommandEntry[] = [
  commandEntry(doctorSpec, async () => (await import('./tools/doctor.node.ts')).doctorCommand, unconfigured),
  commandEntry(completionSpec, async () => (await import('./tools/completion.ts')).completionCommand, unconfigured),
  commandEntry(versionSpec, async () => (await import('./tools/doctor.node.ts')).versionCommand, unconfigured),
  commandEntry(helpSpec, async () => (await import('./help.ts')).helpCommand, unconfigured),
];

// `drydock dependency list`: what `helm dependency list` prints.
// Mirrors: helm.sh/helm/v3/cmd/helm, dependency.go, v3.17.3.

import { normalize } from 'node:path';
import { helmOf } from '../../helm/versions.ts';
import { listDependencies } from '../../inspect/dependency-list.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { helmFlags } from '../rendering/helm-flags.node.ts';
import { helmVersionOf } from '../rendering/read.node.ts';

/** Prints the dependencies of a chart as `helm dependency list` does. Throws UsageError and RenderError. */
export async function dependencyCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(flags));
  helmFlags[helm.major].begin(flags, io, helm.command);
  const [word = '', chart = '.', ...more] = flags.args;
  if (['build', 'update', 'up'].includes(word)) {
    throw new UsageError(
      `drydock has no command "dependency ${word}"`,
      `To put the dependencies of a chart into its charts/ folder, use \`drydock vendor ${chart}${word === 'build' ? '' : ' --update'}\`.`,
    );
  }
  if (word !== 'list' && word !== 'ls') throw new UsageError('"drydock dependency" takes list and the path of a chart');
  if (more.length > 0) {
    throw new UsageError(
      '"drydock dependency list" accepts at most 1 argument\n\nUsage:  drydock dependency list CHART [flags]',
    );
  }
  const text = listDependencies(normalize(chart).replace(/(?<=.)\/$/, ''), {
    helm,
    cwd: io.cwd,
    maxColumnWidth: Number(flags.text('max-col-width') ?? '80'),
    onWarning: (line) => io.stderr(`${line}\n`),
  });
  io.stdout(text);
  return 0;
}

// A chart and its existing cases, for the commands that search for more.

import type { GenerateCasesOptions } from '../../api/cases.ts';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { helmOf } from '../../helm/versions.ts';
import { caseSettings, casesOf, readCaseWords } from '../../inputs/cases.node.ts';
import { readTextFile, readValuesFiles, shownPath } from '../../inputs/files.node.ts';
import { helmVersionOf } from '../../inputs/settings.ts';
import { schemasFor } from '../../vendor/lock/schemas.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { settingsOf } from '../settings.ts';

/** Loads the chart at a path and its cases: those of `--values`, or of its ci/ folder, or its defaults. Throws UsageError, RenderError. */
export async function readCaseOptions(
  path: string,
  flags: ParsedFlags,
  io: CommandIo,
): Promise<{ readonly chart: Chart; readonly options: GenerateCasesOptions }> {
  const maxSeconds = Number(flags.text('max-time') ?? 60);
  if (maxSeconds < 1) throw new UsageError('--max-time must be at least 1');
  const helm = helmVersionOf(settingsOf(flags));
  const chart = await loadChartPath(path, { helm, onWarning: (line) => io.stderr(`${line}\n`) });
  const flagged = { kubeVersion: flags.text('kube-version') || undefined, apiVersions: flags.list('api-versions') };
  const release = {
    helm,
    ...flagged,
    skipSchemaValidation: flags.on('skip-schema-validation'),
    schemas: schemasFor([path, io.cwd]).source,
    readFile: (name: string) => readTextFile(name, io.cwd),
  };
  const cases = await Promise.all(
    casesOf(path, flags.list('values')).map(async ({ name, valuesFiles: names }) => {
      const valuesFiles = await readValuesFiles(names, io, helmOf(helm));
      const words = valuesFiles.map((file) => readCaseWords(file.text, shownPath(file.name, io)));
      return { ...release, name, valuesFiles, ...caseSettings(words, flagged) };
    }),
  );
  return { chart, options: { cases, release, maxSeconds } };
}

// A chart in an editor: the files of its folder, with the texts of open documents instead of those on disk, and its cases.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readChartFiles } from '../chart/directory.node.ts';
import { shownPath } from '../core/paths.node.ts';
import { UsageError } from '../core/usage-error.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type CaseWords, casesOf, readCaseWords, targetOfCase } from '../inputs/cases.node.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { helmVersionOf, type RenderSettings } from '../inputs/settings.ts';
import type { AnalyzedCase, ChartSnapshot, FileFault } from '../language/model.ts';
import type { ValuesFile } from '../values/user.ts';

/** Texts of open documents by absolute path. */
export type OpenTexts = ReadonlyMap<string, string>;

/** Returns the folder of a file's chart: for a subchart, that of the outermost chart. Undefined for other files. */
export function chartFolderOf(file: string): string | undefined {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'Chart.yaml'))) {
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  for (let around = dirname(dirname(folder)); ; around = dirname(dirname(folder))) {
    const isSubchart = dirname(folder) === join(around, 'charts') && existsSync(join(around, 'Chart.yaml'));
    if (!isSubchart) return folder;
    folder = around;
  }
}

/** Reads the chart in a folder. Throws UsageError, RenderError. */
export function readOpenChart(folder: string, open: OpenTexts, all: RenderSettings, cwd: string): ChartSnapshot {
  const settings = settingsForChart(all, folder, cwd);
  const files = new Map<string, Uint8Array | string>(readChartFiles(folder));
  const textOf = (file: string): string => open.get(file) ?? decodeUtf8(readFileSync(file));
  for (const [file, text] of open) {
    const path = shownPath(file, { cwd: folder });
    if (!path.startsWith('../')) files.set(path, text);
  }
  const faults: FileFault[] = [];
  const flagged = { kubeVersion: settings.kubeVersions.at(-1) || undefined, apiVersions: settings.apiVersions };
  const cases = casesOf(folder, settings.values).map(({ name, valuesFiles }): AnalyzedCase => {
    const texts = valuesFiles.map((file) => {
      const path = resolve(cwd, file);
      return { name: shownPath(path, { cwd: folder }), text: textOf(path) };
    });
    const words = texts.map((file) => wordsIn(file, faults));
    const fails = words.some((one) => one.fails);
    return { name, valuesFiles: texts, ...targetOfCase(words, flagged), set: settings.set, fails };
  });
  for (const { valuesFiles } of cases) for (const { name, text } of valuesFiles) files.set(name, text);
  return { files, cases, faults, helm: helmVersionOf(settings), skipSchemaValidation: settings.skipSchemaValidation };
}

// A comment such as `# drydock: fails` is invalid while it is being typed.
function wordsIn({ name, text }: ValuesFile, faults: FileFault[]): CaseWords {
  try {
    return readCaseWords(text, name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    faults.push({ path: name, message: error.message });
    return readCaseWords('', name);
  }
}

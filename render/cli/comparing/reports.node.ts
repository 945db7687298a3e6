// Report destinations: `--report junit` for standard output, `--report junit=FILE` for a file.

import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { didYouMean } from '../../core/suggest.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { formatReport } from '../../report/format.ts';
import { type Report, type ReportFormat, reportFormats } from '../../report/model.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';

export interface RequestedReports {
  /** Whether one of them uses standard output. */
  readonly takesOutput: boolean;
  readonly write: (report: Report) => void;
}

/** Parses --report. Throws UsageError for an invalid format, and for two on standard output. */
export function requestedReports(flags: ParsedFlags, io: CommandIo): RequestedReports {
  const destinations = flags.list('report').map(readWord);
  const printed = destinations.filter(({ file }) => file === undefined);
  if (printed.length > 1 || (printed.length === 1 && flags.on('json'))) {
    throw new UsageError('one report can go to standard output: give the others files, as in --report junit=FILE');
  }
  return {
    takesOutput: printed.length > 0,
    write: (report) => {
      for (const { format, file } of destinations) {
        const text = formatReport(report, format);
        if (file === undefined) io.stdout(text);
        else writeText(resolve(io.cwd, file), text);
      }
    },
  };
}

function readWord(word: string): { readonly format: ReportFormat; readonly file: string | undefined } {
  const equals = word.indexOf('=');
  const format = equals < 0 ? word : word.slice(0, equals);
  const file = equals < 0 ? undefined : word.slice(equals + 1);
  if (!(reportFormats as readonly string[]).includes(format)) {
    throw new UsageError(
      `--report takes ${reportFormats.join(', ')}, each with =FILE or without, not "${word}"${didYouMean(format, reportFormats)}`,
    );
  }
  if (file === '') throw new UsageError(`--report ${word} has no file name: write ${format}=FILE`);
  return { format: format as ReportFormat, file };
}

function writeText(path: string, text: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, encodeUtf8(text));
}

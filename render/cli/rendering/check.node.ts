// `drydock check`: reports all issues of Orders with place, severity and hint; prints no output.

import { counted } from '../../core/counted.ts';
import { type Issue, RenderError } from '../../core/errors.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { expandPatterns } from '../../core/paths.node.ts';
import { explainOrderFailures } from '../../inputs/explain.node.ts';
import { inspectOrderFile } from '../../inputs/inspect.node.ts';
import { readOrderFile } from '../../inputs/orders.node.ts';
import { formatIssue, type OrderText } from '../../order/read.ts';
import { countIssues, formatReport } from '../../report/format.ts';
import type { FileReport, ReportFormat } from '../../report/model.ts';
import { requestedReports } from '../comparing/reports.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure, printIssues, progressOf } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { formatOf, renderSettings, surroundings } from '../settings.ts';

interface Finding {
  readonly file: string;
  readonly issues: readonly Issue[];
  /** Undefined if the file cannot be read. */
  readonly text: OrderText | undefined;
  /** What stopped the check before its end. */
  readonly failure: RenderError | undefined;
  /** Why packages do not render, if requested. */
  readonly why: string;
}

/** Checks Orders. Returns 0 without errors (warnings and notes are reported), 1 with any. Throws UsageError. */
export async function checkCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0 || flags.args.includes('')) {
    throw new UsageError('"drydock check" takes files of Orders, or - for standard input');
  }
  const format = formatOf<ReportFormat>(flags);
  const reports = requestedReports(flags, io);
  if (reports.takesOutput && format !== 'text') {
    throw new UsageError('one report can go to standard output: give --report a file, as in --report junit=FILE');
  }
  const isText = format === 'text' && !reports.takesOutput;
  const files = await expandPatterns(flags.args, io.cwd);
  const progress = progressOf(io, files.length);
  const findings: Finding[] = [];
  for (const file of files) {
    progress.show(file);
    const finding = await inspect(file, flags, io);
    findings.push(finding);
    progress.clear();
    if (isText) printFinding(finding, io);
    if (isText) io.stderr(finding.why);
  }
  const report = { files: findings.map(reportOf), version: ownVersion(), time: new Date() };
  const errors = countIssues(report, 'error');
  if (format !== 'text') io.stdout(formatReport(report, format));
  else if (isText && !isStopped(findings)) {
    const notes = countIssues(report, 'note');
    const more = notes === 0 ? '' : `, ${counted(notes, 'note')}`;
    const where = files.length === 1 ? '' : ` in ${files.length} Orders`;
    io.stdout(`${counted(errors, 'error')}, ${counted(countIssues(report, 'warning'), 'warning')}${more}${where}\n`);
  }
  reports.write({ ...report, text: findings.flatMap(textOf).join('') });
  return errors === 0 ? 0 : 1;
}

// A single unreadable file needs no summary.
function isStopped([first, ...more]: readonly Finding[]): boolean {
  return more.length === 0 && first?.failure !== undefined;
}

async function inspect(file: string, flags: ParsedFlags, io: CommandContext): Promise<Finding> {
  let text: OrderText | undefined;
  try {
    const input = await readOrderFile(file, renderSettings(flags), io);
    text = input.text;
    const issues = await inspectOrderFile(input, { ...surroundings(io), settings: renderSettings(flags) });
    const isExplained = flags.on('explain') && issues.some(({ severity }) => severity === 'error');
    const why = isExplained ? [...(await explainOrderFailures(input)).values()].join('') : '';
    return { file, issues, text, failure: undefined, why };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { file, issues: [], text, failure: error, why: '' };
  }
}

function printFinding({ file, issues, text, failure }: Finding, io: CommandContext): void {
  if (failure !== undefined) printFailure(failure, text, io, file);
  else if (text !== undefined) {
    printIssues(io.quiet ? issues.filter(({ severity }) => severity === 'error') : issues, text, io);
  }
}

function issuesOf({ issues, failure }: Finding): readonly Issue[] {
  if (failure === undefined) return issues;
  if (failure.issues.length > 0) return failure.issues;
  const { message, hint } = failure;
  return [{ path: '', message, severity: 'error', ...(hint === undefined ? {} : { hint }) }];
}

function reportOf(finding: Finding): FileReport {
  const { file, text, failure } = finding;
  const issues = issuesOf(finding).map((issue) => ({
    severity: issue.severity,
    path: issue.path,
    message: issue.message.trimEnd(),
    hint: issue.hint,
    ...(issue.code === undefined ? {} : { code: issue.code }),
    ...(text?.placeOf(issue.path) ?? failure?.place ?? { file }),
  }));
  return { file, issues };
}

function textOf(finding: Finding): string[] {
  return reportOf(finding).issues.map((issue) => `${formatIssue(issue, issue)}\n`);
}

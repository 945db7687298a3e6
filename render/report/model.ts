// A report: the findings of a command, as plain data for all formats.

import type { Issue, Place } from '../core/errors.ts';
import type { Review } from '../diff/review.ts';

/** The formats of a report. */
export const reportFormats = ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'] as const;

/** The name of a form. */
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportedIssue extends Place {
  readonly severity: Issue['severity'];
  /** The path in the Order or in an object; empty for the file itself. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly code?: Issue['code'];
  /** The kind of finding, if it is not an issue of an Order. */
  readonly rule?: string;
  /** Whether the compared revision has it too. Default: it is new, or unknown. */
  readonly isStanding?: boolean;
}

export interface ReportedCase {
  readonly name: string;
  readonly milliseconds: number;
  readonly issues: readonly ReportedIssue[];
}

export interface FileReport {
  readonly file: string;
  readonly issues: readonly ReportedIssue[];
  /** The checked items in it. Default: the file as a whole. */
  readonly cases?: readonly ReportedCase[];
}

export interface ReportedDifference {
  /** Objects by the cause of their changes. */
  readonly review: Review;
  /** What is compared with, such as `origin/main`; empty for recorded files. */
  readonly against: string;
  /** The severity of a change. */
  readonly severity: 'error' | 'note';
  /** Differing texts that are not objects, with the hunks of a diff; and further notes. */
  readonly texts: readonly { readonly title: string; readonly diff: string }[];
  /** Further notes for reviewers, such as which snapshots to record. */
  readonly notes: readonly string[];
}

/** The findings for all files, and the version of drydock. */
export interface Report {
  /** The command. Default `check`. */
  readonly command?: 'check' | 'diff' | 'snapshot' | 'verify';
  readonly files: readonly FileReport[];
  /** Inputs that were skipped, entirely or in part, because of --bail. */
  readonly leftOut?: readonly string[] | undefined;
  /** The differences, if they were computed. */
  readonly difference?: ReportedDifference | undefined;
  readonly version: string;
  /** The time of the run. */
  readonly time: Date;
  /** The report in machine-readable form, if that is more than files and issues. */
  readonly data?: unknown;
  /** The report as the command prints it. */
  readonly text?: string;
}

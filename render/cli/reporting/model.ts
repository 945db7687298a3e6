// A report: what a command found, as plain data that every form is made from.

import type { Issue, Place } from '../../core/errors.ts';
import type { Review } from '../../diff/review.ts';

/** The forms of a report. */
export const reportFormats = ['text', 'json', 'junit', 'github', 'gitlab', 'markdown', 'html', 'sarif'] as const;

/** The name of a form. */
export type ReportFormat = (typeof reportFormats)[number];

/** An issue and where it is. */
export interface ReportedIssue extends Place {
  readonly severity: Issue['severity'];
  /** The path in the Order or in an object; empty where the file itself is at fault. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly code?: Issue['code'];
  /** What kind of finding it is, where that is not a fault of an Order. */
  readonly rule?: string;
  /** Whether what is compared with has it, too. Default it is new, or that is not known. */
  readonly isStanding?: boolean;
}

/** One thing that was looked at. */
export interface ReportedCase {
  readonly name: string;
  readonly milliseconds: number;
  readonly issues: readonly ReportedIssue[];
}

/** What was found in one input. */
export interface FileReport {
  readonly file: string;
  readonly issues: readonly ReportedIssue[];
  /** What was looked at in it. Default: the file as a whole. */
  readonly cases?: readonly ReportedCase[];
}

/** What differs, for people. */
export interface ReportedDifference {
  /** Objects by what made their changes. */
  readonly review: Review;
  /** What is compared with, such as `origin/main`; empty where the files say so. */
  readonly against: string;
  /** What a change is to the run. */
  readonly severity: 'error' | 'note';
  /** Texts that differ and are no objects, with the hunks of a diff; and what else there is to say. */
  readonly texts: readonly { readonly title: string; readonly diff: string }[];
  /** What else a reviewer must know, such as which snapshots are to be recorded. */
  readonly notes: readonly string[];
}

/** What was found in all files, and by which version. */
export interface Report {
  /** What found it. Default `check`. */
  readonly command?: 'check' | 'diff' | 'snapshot' | 'verify';
  readonly files: readonly FileReport[];
  /** The inputs that were not looked at, or not as a whole, because --bail stopped before them. */
  readonly leftOut?: readonly string[] | undefined;
  /** What differs, where differences were looked for. */
  readonly difference?: ReportedDifference | undefined;
  readonly version: string;
  /** When it was found. */
  readonly time: Date;
  /** The report as a program reads it, where that is more than files and issues. */
  readonly data?: unknown;
  /** The report as the command prints it. */
  readonly text?: string;
}

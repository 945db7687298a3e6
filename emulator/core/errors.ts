// Errors for those who set the emulator up or use it from a program: a closed list of codes, each issue with its place.

import { markFailures } from '../../render/core/errors.ts';

/**
 * Names what is wrong: an option or setting, a fault or scenario, a time, the name of a world, too many worlds,
 * a filter of the log, a request that did not come in time, a route or a model that an application defines, a worker
 * that was started outside a page, or an argument that a function does not take.
 */
export type EmulatorErrorCode = (typeof emulatorCodes)[number];

/** Every code of an `EmulatorError`. */
export const emulatorCodes = [
  'SETTING_INVALID',
  'FAULT_INVALID',
  'SCENARIO_UNKNOWN',
  'TIME_INVALID',
  'WORLD_INVALID',
  'WORLDS_FULL',
  'FILTER_INVALID',
  'REQUEST_TIMEOUT',
  'ROUTE_INVALID',
  'PAGE_REQUIRED',
  'ARGUMENT_INVALID',
] as const;

/** One thing that is wrong: its place as a JSON path (`emailDomains.allow[0]`, empty for the whole), what, and the hint. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** What is thrown by the emulator's own functions for what the caller can fix; nothing was changed. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly code: EmulatorErrorCode;
  readonly issues: readonly Issue[];

  constructor(code: EmulatorErrorCode, issues: readonly Issue[]) {
    super(formatIssues(issues));
    this.code = code;
    this.issues = issues;
  }
}

markFailures(EmulatorError, 'user');

/** Formats issues as one line, each after its path. */
export function formatIssues(issues: readonly Issue[]): string {
  return issues
    .map(
      ({ path, message, hint }) =>
        `${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : `: ${hint}`}`,
    )
    .join('; ');
}

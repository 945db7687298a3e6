// Errors of the emulator's API: a closed list of codes, each issue with its place.

import { markFailures } from '../../render/core/errors.ts';

/**
 * Names the problem: an invalid option or setting, fault or scenario, time, world name or log filter; too many worlds; a request that did
 * not arrive in time; a custom route or model; a worker started outside a page; or an invalid argument.
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

/** One problem: its place as a JSON path (`emailDomains.allow[0]`, empty for the whole), the message and the hint. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** Thrown by the emulator's functions for problems that the caller can fix; nothing was changed. */
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

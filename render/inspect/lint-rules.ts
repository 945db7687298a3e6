// The messages of `helm lint` in three severities, collected by rules.
// Mirrors: helm.sh/helm/v3/pkg/lint/support, message.go, v3.17.3.

import { RenderError } from '../core/errors.ts';
import { GoError } from '../go/value.ts';

/** The severity of a message. */
export type LintSeverity = 'info' | 'warning' | 'error';

/** A message of `helm lint`. */
export interface LintMessage {
  readonly severity: LintSeverity;
  /** The file or folder of the chart; for dependencies, the folder of the chart. */
  readonly path: string;
  readonly message: string;
}

export class Linter {
  readonly messages: LintMessage[] = [];

  /**
   * Adds a message if the rule failed. Reports whether it passed.
   * Mirrors: `RunLinterRule`.
   */
  rule(severity: LintSeverity, path: string, message: string | undefined): boolean {
    if (message === undefined) return true;
    this.messages.push({ severity, path, message });
    return false;
  }

  /** Returns the result of `read`. If it throws Helm's error, adds the error as a message and returns undefined. */
  attempt<T>(path: string, read: () => T, word: (message: string) => string = String): T | undefined {
    try {
      return read();
    } catch (error) {
      this.rule('error', path, word(helmError(error)));
      return undefined;
    }
  }
}

export function helmError(error: unknown): string {
  if (error instanceof GoError || error instanceof RenderError) return error.message;
  throw error;
}

/** Returns Helm's message of the error that a check throws, or undefined. */
export function errorOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return helmError(error);
  }
}

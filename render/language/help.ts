// What an editor shows beside a text: faults, descriptions of words, and what may be written at the cursor.

/** A fault at a line, from 1. */
export interface EditorMark {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'note';
}

/** The description of what the pointer is over. */
export interface HoverCard {
  readonly title: string;
  /** A line of a program. */
  readonly code?: string;
  readonly rows: readonly string[];
  /** What can be done. */
  readonly hint?: string;
}

/** A suggestion for completion. */
export interface Suggestion {
  readonly label: string;
  /** What is written for it. */
  readonly apply: string;
  readonly kind: 'name' | 'value';
  readonly detail: string;
  readonly card?: HoverCard;
  /** Whether it is before others. */
  readonly isFirst?: boolean;
}

/** Completions at an offset, and descriptions of words. */
export interface EditorHelp {
  complete(text: string, at: number): { readonly from: number; readonly options: readonly Suggestion[] } | undefined;
  describe(
    text: string,
    at: number,
  ): { readonly from: number; readonly to: number; readonly card: HoverCard } | undefined;
}

/** Returns a message with how to fix it on the next line. */
export function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.trimEnd()}\n${hint}`;
}

// Help for a text in an editor: problems, descriptions, and completions.

/** A problem at a line, from 1. */
export interface EditorMark {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'note';
}

/** The description of the hovered text. */
export interface HoverCard {
  readonly title: string;
  /** A line of source code. */
  readonly code?: string;
  readonly rows: readonly string[];
  /** What can be done. */
  readonly hint?: string;
}

export interface Suggestion {
  readonly label: string;
  /** The inserted text. */
  readonly apply: string;
  readonly kind: 'name' | 'value';
  readonly detail: string;
  readonly card?: HoverCard;
  /** Whether it is sorted before others. */
  readonly isFirst?: boolean;
}

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

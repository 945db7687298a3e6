// One history for all edits of the Order: lists, forms and text.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** An edit: a label to follow "Undo: ", and the text before it (undo) or after it (redo). */
interface Edit {
  readonly label: string;
  readonly text: string;
  /** Time in milliseconds since 1970. */
  readonly time: number;
}

/** History of a text. */
export interface History {
  /** The label of the next undo, such as `add web`; undefined if there is none. */
  readonly undoLabel: ReadonlySignal<string | undefined>;
  /** The label of the next redo. */
  readonly redoLabel: ReadonlySignal<string | undefined>;
  /** Changes the text. Typing that continues within a second is one edit. */
  change(text: string, label: string, isTyping?: boolean): void;
  /** Reverts the last edit and returns its label; undefined if there is none. */
  undo(): string | undefined;
  /** Repeats the last reverted edit and returns its label. */
  redo(): string | undefined;
}

const longest = 100;
const typingPause = 1000;

/** Creates a history for a text. `now` returns the time in milliseconds since 1970. */
export function createHistory(text: Signal<string>, now: () => number = Date.now): History {
  const past = signal<readonly Edit[]>([]);
  const future = signal<readonly Edit[]>([]);
  // The edit that typing continues; undo or another edit closes it.
  let typing: string | undefined;
  const step = (from: Signal<readonly Edit[]>, to: Signal<readonly Edit[]>): string | undefined => {
    const edit = from.peek().at(-1);
    if (!edit) return undefined;
    from.value = from.peek().slice(0, -1);
    to.value = [...to.peek(), { ...edit, text: text.peek() }];
    typing = undefined;
    text.value = edit.text;
    return edit.label;
  };
  return {
    undoLabel: computed(() => past.value.at(-1)?.label),
    redoLabel: computed(() => future.value.at(-1)?.label),
    change: (changed, label, isTyping = false) => {
      if (changed === text.peek()) return;
      const last = past.peek().at(-1);
      const time = now();
      if (isTyping && last && typing === label && time - last.time < typingPause)
        past.value = [...past.peek().slice(0, -1), { ...last, time }];
      else past.value = [...past.peek(), { label, text: text.peek(), time }].slice(-longest);
      typing = isTyping ? label : undefined;
      future.value = [];
      text.value = changed;
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
  };
}

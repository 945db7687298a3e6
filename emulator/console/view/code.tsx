// An editor in the page. Its code is loaded on first use; until then the text is shown without highlighting.

import { effect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorHelp, EditorMark, HoverCard } from '../../../render/language/help.ts';
import type { ChangedPart, CodeLanguage, Editor } from '../editor/editor.ts';
import { showError } from '../session.ts';

/** The content of an editor. */
export interface CodeProps {
  readonly label: string;
  /** A signal for editable text: a late update must not undo what was typed since. */
  readonly text: string | ReadonlySignal<string>;
  readonly language?: CodeLanguage;
  /** Without it the text is read-only. */
  readonly onChange?: (text: string) => void;
  /** Called with the line, from 1, when the cursor moves to another one. */
  readonly onLine?: (line: number) => void;
  /** Called with the line and column, from 1, of a click or Enter in read-only text. */
  readonly onPick?: (line: number, column: number) => Promise<void>;
  /** Describes the hovered text. */
  readonly onHover?: (line: number, column: number) => Promise<HoverCard | undefined>;
  /** Completions. */
  readonly words?: EditorHelp | undefined;
  readonly marks?: readonly EditorMark[];
  /** Changed parts of read-only text: the lines that they added are marked. */
  readonly changes?: readonly ChangedPart[];
  /** A line to scroll to, from 1; each new object is a new request. */
  readonly line?: { readonly line: number; readonly focus?: boolean } | undefined;
  /** Opens the search of the editor; each new number is a new request. */
  readonly find?: number;
}

const noMarks: readonly EditorMark[] = [];
const noChanges: readonly ChangedPart[] = [];

/** An editor that fills its parent, read-only without a callback for changes. */
export function Code(props: CodeProps) {
  const { label, text, language = 'yaml', onChange, marks = noMarks, changes = noChanges, line, find } = props;
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const latest = useRef(props);
  latest.current = props;
  const plain = typeof text === 'string' ? text : text.peek();
  const first = useRef({ label, text: plain, language, readOnly: onChange === undefined });
  useEffect(() => {
    let made: Editor | undefined;
    let isGone = false;
    void import('../editor/editor.ts').then(({ createEditor }) => {
      if (isGone || !host.current) return;
      made = createEditor(host.current, {
        ...first.current,
        onChange: (written) => latest.current.onChange?.(written),
        onLine: (at) => latest.current.onLine?.(at),
        ...(props.onPick && { onPick: (at, column) => void latest.current.onPick?.(at, column).catch(showError) }),
        ...(props.onHover && {
          onHover: async (at, column) => latest.current.onHover?.(at, column).catch(() => undefined),
        }),
        ...(props.words && {
          words: {
            complete: (written, at) => latest.current.words?.complete(written, at),
            describe: (written, at) => latest.current.words?.describe(written, at),
          },
        }),
      });
      setEditor(made);
    });
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => {
    if (typeof text === 'string') return editor?.setText(text, changes);
    return editor && effect(() => editor.setText(text.value));
  }, [editor, text, changes]);
  useEffect(() => editor?.setMarks(marks), [editor, marks]);
  useEffect(() => {
    if (line) editor?.showLine(line.line, line.focus ?? false);
  }, [editor, line]);
  useEffect(() => {
    if (find) editor?.openSearch();
  }, [editor, find]);
  return (
    // Code is left-to-right, independent of the page's direction.
    <div class="code" dir="ltr">
      <div class="code-host" ref={host} />
      {editor ? undefined : <pre class="code-plain">{plain.slice(0, 4000)}</pre>}
    </div>
  );
}

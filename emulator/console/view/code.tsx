// An editor in the page. Its code is loaded on first use; until then the text is shown without highlighting.

import { effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorMark } from '../../../render/language/help.ts';
import type { ChangedPart, Editor, EditorProps } from '../editor/editor.ts';

interface CodeProps extends EditorProps {
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
  const { text, marks = noMarks, changes = noChanges, line, find } = props;
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const latest = useRef<EditorProps>(props);
  latest.current = props;
  const plain = typeof text === 'string' ? text : text.peek();
  useEffect(() => {
    let made: Editor | undefined;
    let isGone = false;
    void import('../editor/editor.ts').then(({ createEditor }) => {
      if (isGone || !host.current) return;
      made = createEditor(host.current, latest);
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

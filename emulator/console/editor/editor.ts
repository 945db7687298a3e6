// The editors of the console: CodeMirror in a shadow root, whose style sheets a strict content security policy allows. Loaded on first use.

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentService,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { powerShell } from '@codemirror/legacy-modes/mode/powershell';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import {
  EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
  type Text,
  Transaction,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { ReadonlySignal } from '@preact/signals';
import { diffLines } from 'diff';
import type { EditorHelp, EditorMark, HoverCard } from '../../../render/language/help.ts';
import { showError } from '../session.ts';
import { forReading, helpExtension, helpLook, lineCards, picks } from './help.ts';

/** A changed part of the text, its first line, from 1, and what it was before. */
export interface ChangedPart {
  readonly line: number;
  readonly text: string;
  readonly before: string;
}

export type CodeLanguage = 'yaml' | 'shell' | 'powershell' | 'plain';

export interface EditorProps {
  readonly label: string;
  /** A signal for editable text: a late update must not undo what was typed since. */
  readonly text: string | ReadonlySignal<string>;
  readonly language?: CodeLanguage;
  /** Called when a user edits the text. Without it the text is read-only. */
  readonly onChange?: (text: string) => void;
  /** Called with the line, from 1, when the cursor moves to another one. */
  readonly onLine?: (line: number) => void;
  /** Called with the line and column, from 1, of a click or Enter in read-only text. */
  readonly onPick?: (line: number, column: number) => Promise<void>;
  readonly onHover?: (line: number, column: number) => Promise<HoverCard | undefined>;
  readonly words?: EditorHelp | undefined;
}

export interface Editor {
  /** Replaces the text; common lines are kept with cursor, folds and scroll position. Marks the lines added by `changes`, and no others. */
  setText(text: string, changes?: readonly ChangedPart[]): void;
  setMarks(marks: readonly EditorMark[]): void;
  /** Scrolls to a line, from 1, and moves the cursor there; `focus` also moves the focus. */
  showLine(line: number, focus: boolean): void;
  openSearch(): void;
  destroy(): void;
}

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--code-comment)' },
  { tag: [tags.meta, tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-soft)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--sheet)', fontSize: 'var(--size-code)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--ink-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--row)' },
  '.cm-changedLine': { boxShadow: 'inset 3px 0 var(--warn)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--row)', border: '1px solid var(--line)', color: 'var(--ink-soft)' },
  '.cm-panels': { backgroundColor: 'var(--ground)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--sans)', fontSize: 'var(--size-small)', padding: '6px 8px' },
  '.cm-panel.cm-search label': { fontSize: 'var(--size-small)' },
  '.cm-textfield': {
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    padding: '3px 6px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    padding: '3px 8px',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)', fontSize: '18px', padding: '0 6px' },
  '.cm-searchMatch': { backgroundColor: 'var(--found)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--accent)' },
  '.cm-tooltip': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
  ...helpLook,
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: 'var(--size-small)', padding: '4px 8px' },
});

/** Creates an editor that fills an element. Its callbacks are the current ones of `latest`; everything else is read once. */
export function createEditor(host: HTMLElement, latest: { readonly current: EditorProps }): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  const { text } = latest.current;
  const onUpdate = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    const isOurs = transactions.some((one) => one.annotation(Transaction.remote) === true);
    if (docChanged && !isOurs) latest.current.onChange?.(state.doc.toString());
    if (transactions.some((one) => one.isUserEvent('select')))
      latest.current.onLine?.(state.doc.lineAt(state.selection.main.head).number);
  });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: typeof text === 'string' ? text : text.peek(),
      extensions: [...extensionsOf(latest), onUpdate],
    }),
  });
  return {
    setText: (text, changes = []) => replaceText(view, text, changes),
    setMarks: (marks) => {
      const diagnostics = marks.map((mark) => diagnosticOf(view, mark));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    showLine: (line, focus) => {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 24 }),
      });
      if (focus) view.focus();
    },
    openSearch: () => void openSearchPanel(view),
    destroy: () => view.destroy(),
  };
}

const showChanges = StateEffect.define<readonly ChangedPart[]>();
const changedLine = Decoration.line({ class: 'cm-changedLine' });

const changedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, { effects, changes, state }) {
    const set = effects.find((effect) => effect.is(showChanges));
    if (!set) return lines.map(changes);
    return Decoration.set(
      set.value.flatMap((part) => linesSince(part, state.doc)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

function linesSince({ line: start, text, before }: ChangedPart, doc: Text): Range<Decoration>[] {
  const lines: Range<Decoration>[] = [];
  let at = start;
  // With a line break at the end, a last line that is not the last any more is the same.
  const parts = diffLines(`${before}\n`, `${text}\n`, { maxEditLength });
  const everything = { added: true, removed: false, count: text.split('\n').length };
  for (const { added, removed, count } of parts ?? [everything]) {
    const end = Math.min(at + count, doc.lines + 1);
    if (added) for (let line = at; line < end; line++) lines.push(changedLine.range(doc.line(line).from));
    if (!removed) at += count;
  }
  return lines;
}

// The line after `name:` is indented, although the value is still empty.
const insideNames = indentService.of((context, pos) => {
  const { text } = context.lineAt(pos, -1);
  const [indent = ''] = /^\s*(?:- +)*/.exec(text) ?? [];
  return /^\s*[^#\s][^#]*:\s*$/.test(text) ? indent.length + 2 : undefined;
});

function extensionsOf(latest: { readonly current: EditorProps }): Extension[] {
  const { label, language = 'yaml', onChange, onPick, onHover, words } = latest.current;
  const readOnly = onChange === undefined;
  const name = EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    ...(readOnly && { 'aria-readonly': 'true' }),
  });
  // Tab leaves an editor like any field; Ctrl-M of the default keys toggles indentation with Tab.
  const keys = [...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap];
  const shown: Extension[] = [
    name,
    look,
    syntaxHighlighting(colors),
    lineNumbers(),
    foldGutter({ openText: '▾', closedText: '▸' }),
    drawSelection(),
    search({ top: true }),
    keymap.of(keys),
    indentUnit.of('  '),
  ];
  if (language === 'yaml') shown.push(yaml());
  if (language === 'shell') shown.push(StreamLanguage.define(shell));
  if (language === 'powershell') shown.push(StreamLanguage.define(powerShell));
  if (readOnly) shown.push(changedLines);
  if (onHover) shown.push(lineCards(async (...at) => latest.current.onHover?.(...at).catch(() => undefined)));
  if (onPick) shown.unshift(picks((...at) => void latest.current.onPick?.(...at).catch(showError)));
  if (readOnly) return [...shown, highlightActiveLine(), forReading];
  return [
    ...(words ? [helpExtension(() => latest.current.words)] : []),
    ...shown,
    lintGutter(),
    history(),
    indentOnInput(),
    insideNames,
    closeBrackets(),
    highlightActiveLine(),
  ];
}

// In one transaction, because a scroll request between two could be lost.
function replaceText(view: EditorView, text: string, parts: readonly ChangedPart[]): void {
  const changes = textChanges(view.state.doc.toString(), text);
  const isMarked = (view.state.field(changedLines, false)?.size ?? 0) > 0;
  const effects = parts.length > 0 || isMarked ? [showChanges.of(parts)] : [];
  if (changes.length === 0 && effects.length === 0) return;
  view.dispatch({ changes, effects, annotations: Transaction.remote.of(true) });
}

function diagnosticOf(view: EditorView, { line, column, message, severity }: EditorMark): Diagnostic {
  const { doc } = view.state;
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  const to = Math.max(at.to, from);
  return { from, to, message, severity: severity === 'note' ? 'info' : severity };
}

// Computes the changes from one text to another in pieces, so that unchanged parts keep cursor, folds and scroll position.

/** A replaced piece: offsets of the old text, `to` exclusive. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

// Texts with almost nothing in common are replaced entirely: a minimal diff would preserve little and block the page.
const maxEditLength = 300;

/** Returns the differing lines of two texts, in order; empty for equal texts. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Only the lines between the first and the last difference are compared.
  let at = before.slice(0, start).lastIndexOf('\n') + 1;
  const rest = before.length - (before.indexOf('\n', before.length - end) + 1 || before.length);
  const old = before.slice(at, before.length - rest);
  const replacing = after.slice(at, after.length - rest);
  const parts = diffLines(old, replacing, { maxEditLength });
  if (parts === undefined) return [{ from: at, to: at + old.length, insert: replacing }];
  const changes: TextChange[] = [];
  for (const { value, added, removed } of parts) {
    const last = changes.at(-1);
    if (added && last?.to === at) changes.splice(-1, 1, { ...last, insert: value });
    else if (added) changes.push({ from: at, to: at, insert: value });
    else if (removed) changes.push({ from: at, to: at + value.length, insert: '' });
    if (!added) at += value.length;
  }
  return changes;
}

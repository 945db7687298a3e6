// Hover cards and completions in editors.

import {
  autocompletion,
  type Completion,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, type Tooltip } from '@codemirror/view';
import type { EditorHelp, HoverCard, Suggestion } from '../../../render/language/help.ts';

const pointingTime = 250;

/** Shows a card above the hovered line: `cardAt` gets line and column, from 1, and may return nothing. */
export function lineCards(cardAt: (line: number, column: number) => Promise<HoverCard | undefined>): Extension {
  return hoverTooltip(
    async ({ state }, pos) => {
      const { number, from, to, text } = state.doc.lineAt(pos);
      const card = await cardAt(number, pos - from + 1);
      return card ? tooltipOf(card, from + text.search(/\S|$/), to) : null;
    },
    { hoverTime: pointingTime, hideOnChange: true },
  );
}

function tooltipOf(card: HoverCard, pos: number, end: number): Tooltip {
  return { pos, end, above: true, create: () => ({ dom: cardElement(card) }) };
}

/** Called with line and column, from 1, of a click without a selection, or of Enter. */
export function picks(onPick: (line: number, column: number) => void): Extension {
  const pick = (view: EditorView, pos: number): void => {
    const { number, from } = view.state.doc.lineAt(pos);
    onPick(number, pos - from + 1);
  };
  const goOn = (view: EditorView): boolean => {
    pick(view, view.state.selection.main.head);
    return true;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onClick = (event: MouseEvent, view: EditorView): void => {
    // A second click selects a word, a third the line: then the first was not a single click.
    clearTimeout(timer);
    const isPlain = event.detail === 1 && event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey;
    // On touch screens the first tap explains, and the panel has the links.
    const pos = matchMedia('(hover: hover)').matches ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
    const isText = event.target instanceof Element && event.target.closest('.cm-gutters, .cm-foldPlaceholder') === null;
    if (!isPlain || pos === null || !isText) return;
    timer = setTimeout(() => view.state.selection.main.empty && pick(view, pos), 250);
  };
  return [
    EditorView.domEventHandlers({ click: (event, view) => onClick(event, view) }),
    keymap.of([{ key: 'Enter', run: goOn }]),
  ];
}

/** Offers completions while typing and on Ctrl-Space; explains the hovered word. */
export function helpExtension(help: () => EditorHelp | undefined): Extension {
  return [
    autocompletion({
      override: [
        ({ state, pos, explicit }) => {
          const found = help()?.complete(state.doc.toString(), pos);
          // At an empty position, completions are offered only on request or directly after a colon.
          const isEmpty = found?.from === pos;
          const before = state.sliceDoc(Math.max(0, pos - 2), pos);
          if (!found || (isEmpty && !explicit && before !== ': ')) return null;
          return { from: found.from, options: found.options.map(completionOf), validFor: /^[\w./"'-]*$/ };
        },
      ],
      icons: false,
    }),
    keymap.of(completionKeymap),
    hoverTooltip(
      (view, pos) => {
        const found = help()?.describe(view.state.doc.toString(), pos);
        if (!found || pos < found.from || pos > found.to) return null;
        return tooltipOf(found.card, found.from, found.to);
      },
      { hoverTime: pointingTime },
    ),
  ];
}

function completionOf({ label, apply, kind, detail, card, isFirst = false }: Suggestion): Completion {
  return {
    label,
    apply: (view, completion, from, to) => {
      view.dispatch({
        ...insertCompletionText(view.state, apply, from, to),
        annotations: pickedCompletion.of(completion),
      });
      // A name is followed by its value or by a nested map.
      if (kind === 'name' && /[: ]$/.test(apply)) startCompletion(view);
    },
    detail,
    type: kind === 'name' ? 'property' : 'constant',
    boost: kind === 'value' ? 2 : isFirst ? 1 : 0,
    ...(card && { info: () => cardElement(card) }),
  };
}

function cardElement({ title, code, rows, hint }: HoverCard): HTMLElement {
  const card = document.createElement('div');
  card.className = 'card';
  const add = (name: string, kind: string, text: string): void => {
    const part = document.createElement(name);
    part.className = kind;
    part.textContent = text;
    card.append(part);
  };
  add('p', 'card-title', title);
  if (code !== undefined) add('pre', 'card-code', code);
  for (const row of rows) add('p', 'card-row', row);
  if (hint !== undefined) add('p', 'card-hint', hint);
  return card;
}

export const helpLook: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.cm-tooltip.cm-tooltip-hover, .cm-tooltip.cm-completionInfo': {
    maxWidth: 'min(560px, 92vw)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
  },
  '.card': { padding: '8px 10px', fontFamily: 'var(--sans)', fontSize: 'var(--size-small)', lineHeight: '1.45' },
  '.card p, .card pre': { margin: '0 0 4px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '.card-title': { fontFamily: 'var(--mono)', color: 'var(--ink-soft)' },
  '.card .card-code': { padding: '3px 6px', backgroundColor: 'var(--row)', fontFamily: 'var(--mono)' },
  '.card .card-hint': { marginBottom: '0', color: 'var(--ink-soft)' },
  '.cm-tooltip.cm-tooltip-autocomplete': { borderRadius: '6px', boxShadow: 'var(--shadow)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--size-code)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-ink)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.8' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
};

/** Makes a text read-only; arrow keys still move the cursor. */
export const forReading: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

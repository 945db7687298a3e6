// The command palette: Ctrl-K or ⌘-K.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { matcherOf } from '../search.ts';
import { charts, showError } from '../session.ts';
import { chartCommands, commandsOf, type PaletteCommand } from './commands.ts';

/** The content of the palette: all commands, or the charts to add. */
export type PaletteMode = 'commands' | 'charts';

const mode = signal<PaletteMode | undefined>(undefined);

/** Opens the palette. */
export function openPalette(what: PaletteMode): void {
  mode.value = what;
}

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  mode.value = mode.value === undefined ? 'commands' : undefined;
});

/** The palette, if it is open. */
export function Palette() {
  return mode.value === undefined ? null : <OpenPalette key={mode.value} listed={mode.value} />;
}

// Maximum number of shown items.
const mostShown = 100;

function OpenPalette({ listed }: { readonly listed: PaletteMode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const all = listed === 'charts' ? chartCommands(charts.value ?? []) : commandsOf(charts.value ?? []);
  const found = rankCommands(all, search).slice(0, mostShown);
  useEffect(() => openDialog(dialog.current), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) void run(found[at]);
    else setAt((at + step + found.length) % Math.max(found.length, 1));
  };
  const typed = (text: string): void => {
    setSearch(text);
    setAt(0);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={close}>
      <input
        class="palette-search"
        type="text"
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        placeholder={listed === 'charts' ? 'Search charts by name, description or keyword' : 'Type a command'}
        autocomplete="off"
        spellcheck={false}
        value={search}
        onInput={(event) => typed(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <PaletteItem
            key={command.name}
            command={command}
            id={`command-${index}`}
            isChosen={index === at}
            onPoint={() => setAt(index)}
          />
        ))}
      </div>
      {found.length === 0 ? (
        <p class="palette-none">{listed === 'charts' ? 'No charts found' : 'No commands found'}</p>
      ) : undefined}
    </dialog>
  );
}

interface ItemProps {
  readonly command: PaletteCommand;
  readonly id: string;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
}

function PaletteItem({ command, id, isChosen, onPoint }: ItemProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, as comboboxes do.
    <div
      ref={row}
      id={id}
      class="palette-item"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onMouseMove={onPoint}
      onClick={() => void run(command)}
    >
      <span>{command.name}</span>
      <span class="soft">{command.about}</span>
    </div>
  );
}

function close(): void {
  mode.value = undefined;
}

async function run(command: PaletteCommand | undefined): Promise<void> {
  if (!command) return;
  close();
  try {
    await command.run();
  } catch (failure) {
    showError(failure);
  }
}

// A click outside closes it, and the focus returns to where it was.
function openDialog(dialog: HTMLDialogElement | null): () => void {
  const before = document.activeElement;
  dialog?.addEventListener('click', (event) => event.target === dialog && close());
  dialog?.showModal();
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
}

// Ranks commands by a search.

/** The texts to search in. */
interface RankedItem {
  readonly name: string;
  readonly about: string;
  /** Additional keywords. */
  readonly keywords?: readonly string[] | undefined;
}

/** Returns the commands whose texts contain every word of a search; those whose names start with it come first. */
export function rankCommands<One extends RankedItem>(commands: readonly One[], search: string): readonly One[] {
  const matches = matcherOf(search);
  const [first = ''] = search.toLowerCase().trim().split(/\s+/);
  const rank = ({ name, about, keywords = [] }: One): number => {
    if (matches(name)) return name.toLowerCase().startsWith(first) ? 0 : 1;
    return matches(`${name} ${about} ${keywords.join(' ')}`) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}

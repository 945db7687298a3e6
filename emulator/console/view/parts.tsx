// Basic components of all screens.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { showError, showMessage } from '../session.ts';

const paths = {
  add: 'M8 3v10M3 8h10',
  up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  edit: 'M3 13l.6-2.6 7.5-7.5 2 2-7.5 7.5z M9.9 4.1l2 2',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  remove: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.3 4.3L11 9M9 11.5 7.5 13a3 3 0 0 1-4.3-4.3L5 7',
  save: 'M3 3h8l2 2v8H3zM5.5 3v3.5h5V3M5.5 13V9.5h5V13',
  find: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14',
  good: 'M3 8.5 6.5 12 13 4.5',
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.2',
  note: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.2v4M8 4.8v.2',
  undo: 'M5 3 2.5 5.5 5 8M2.5 5.5H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'M11 3l2.5 2.5L11 8M13.5 5.5H6a3.5 3.5 0 0 0 0 7h3',
  again: 'M13 3v3.5H9.5M13 6.5A5.5 5.5 0 1 0 13.2 10',
  open: 'M2 4h4l1.5 1.5H14V13H2z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.6',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon beside a text with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Props of a button. */
export interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** Its accessible name if it has only an icon. */
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'quiet';
  readonly disabled?: boolean;
  /** The action; errors are shown. */
  readonly onPress: () => void | Promise<void>;
}

/** A button. */
export function Button({ children, icon, label, kind = 'plain', disabled = false, onPress }: ButtonProps) {
  const press = async ({ currentTarget }: { readonly currentTarget: HTMLElement }): Promise<void> => {
    const above = document.activeElement === currentTarget ? ancestorsOf(currentTarget) : [];
    try {
      await onPress();
    } catch (failure) {
      showError(failure);
    }
    requestAnimationFrame(() => keepFocus(above));
  };
  return (
    <button type="button" class={`button ${kind}`} disabled={disabled} aria-label={label} title={label} onClick={press}>
      {icon ? <Icon name={icon} /> : undefined}
      {children}
    </button>
  );
}

// After deleting a row with the keyboard, the focus stays nearby instead of moving to the top of the page.
function keepFocus(above: readonly Element[]): void {
  if (document.activeElement !== document.body) return;
  const controls = 'button:enabled, a[href], input, select';
  const place = above.find((one) => one.isConnected && one.querySelector(controls) !== null);
  place?.querySelector<HTMLElement>(controls)?.focus();
}

function ancestorsOf(element: Element): readonly Element[] {
  const above: Element[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) above.push(at);
  return above;
}

/** A tab. */
export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** A count beside the label. */
  readonly count?: number | undefined;
}

/** Props of a row of tabs. */
export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  /** The id of the tab panel. */
  readonly panel: string;
  readonly onChoose: (name: Name) => void;
}

/** A row of tabs with arrow key navigation. */
export function Tabs<Name extends string>({ label, tabs, chosen, panel, onChoose }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const turn = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? -step : step;
    const at = tabs.findIndex(({ name }) => name === chosen) + (Math.abs(step) === 1 ? turn : step);
    const index = Math.min(Math.max(at, 0), tabs.length - 1);
    const next = tabs[index];
    if (next) onChoose(next.name);
    (list.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ name, label: words, count }) => (
        <button
          type="button"
          key={name}
          role="tab"
          class="tab"
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {words}
          {count === undefined ? undefined : <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

/** The head of a table: its columns, and one for actions if its rows have some. */
export function TableHead({
  columns,
  hasActions,
}: {
  readonly columns: readonly string[];
  readonly hasActions: boolean;
}) {
  return (
    <thead>
      <tr>
        {columns.map((label) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
        {hasActions ? (
          <th scope="col">
            <span class="sr">Actions</span>
          </th>
        ) : undefined}
      </tr>
    </thead>
  );
}

/** A loading indicator. */
export function Loading() {
  return (
    <p class="pad soft" role="status">
      Loading…
    </p>
  );
}

/** An empty state: a title, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** An error message with its place and a hint. */
export function ErrorMessage({
  message,
  where,
  hint,
  children,
}: {
  readonly message: string;
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="fault" role="alert">
      <Icon name="alert" />
      <div class="fault-words">
        {where ? <p class="fault-where">{where}</p> : undefined}
        <p class="fault-message">{message}</p>
        {hint ? <p class="fault-hint">{hint}</p> : undefined}
      </div>
      {children}
    </div>
  );
}

/** A read-only text that can be scrolled with the keyboard. */
export function TextBlock({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <pre class="text-block" tabIndex={0}>
      {text}
    </pre>
  );
}

/** Copies a text to the clipboard, and shows a message. */
export async function copyText(text: string, what: string): Promise<void> {
  // A browser may deny access to the clipboard, and there is none without HTTPS on other machines.
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied || copyByHand(text)) showMessage(`${what} copied.`);
  else showMessage(`The browser does not let this page copy. Select the text and press Ctrl+C.`, true);
}

function copyByHand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

/** Downloads a text. */
export function downloadText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

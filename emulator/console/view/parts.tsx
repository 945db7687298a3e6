// Basic components of all screens.

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isInPage, requestText, root } from '../api.ts';
import { emulatorNow, showError, showMessage } from '../session.ts';
import { useLoad } from './load.ts';

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
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.2',
  note: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.2v4M8 4.8v.2',
  undo: 'M5 3 2.5 5.5 5 8M2.5 5.5H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'M11 3l2.5 2.5L11 8M13.5 5.5H6a3.5 3.5 0 0 0 0 7h3',
  again: 'M13 3v3.5H9.5M13 6.5A5.5 5.5 0 1 0 13.2 10',
  open: 'M2 4h4l1.5 1.5H14V13H2z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.6',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** Its accessible name if it has only an icon. */
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'quiet';
  readonly disabled?: boolean;
  /** The action; errors are shown. */
  readonly onPress: () => void | Promise<void>;
}

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
  const { activeElement } = document;
  // Firefox leaves the focus on a button that becomes disabled.
  if (activeElement !== document.body && !activeElement?.matches(':disabled')) return;
  const controls = 'button:enabled, a[href], input, select';
  const place = above.find((one) => one.isConnected && one.querySelector(controls) !== null);
  place?.querySelector<HTMLElement>(controls)?.focus();
}

function ancestorsOf(element: Element): readonly Element[] {
  const above: Element[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) above.push(at);
  return above;
}

interface LinkProps {
  readonly children: ComponentChildren;
  /** Its accessible name, if that is not its text. */
  readonly label?: string;
  readonly onPress: () => void;
}

export function LinkButton({ children, label, onPress }: LinkProps) {
  return (
    <button type="button" class="link" aria-label={label} onClick={onPress}>
      {children}
    </button>
  );
}

interface CopyProps extends Pick<ButtonProps, 'children' | 'label' | 'disabled'> {
  readonly text: string;
  /** Names the text in the message. */
  readonly what: string;
}

export function CopyButton({ text, what, children = 'Copy', ...rest }: CopyProps) {
  return (
    <Button icon="copy" kind="quiet" onPress={() => copyText(text, what)} {...rest}>
      {children}
    </Button>
  );
}

export function DownloadButton({
  text,
  name,
  disabled = false,
}: Record<'text' | 'name', string> & { disabled?: boolean }) {
  return (
    <Button icon="download" kind="quiet" disabled={disabled} onPress={() => downloadText(text, name)}>
      Download
    </Button>
  );
}

interface SelectProps<Value extends string> {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'data-active'?: boolean;
  readonly value: Value;
  readonly options: readonly (Value | readonly [value: Value, label: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>({ options, onChoose, ...rest }: SelectProps<Value>) {
  return (
    <select {...rest} onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}>
      {options.map((option) => {
        const [value, label] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </select>
  );
}

interface SearchProps {
  readonly class?: string;
  /** Its accessible name and its placeholder. */
  readonly label: string;
  readonly text: Signal<string>;
}

export function SearchField({ class: kind, label, text }: SearchProps) {
  const write = (written: string): void => {
    text.value = written;
  };
  return (
    <input
      type="search"
      class={kind}
      aria-label={label}
      placeholder={label}
      value={text.value}
      onInput={(event) => write(event.currentTarget.value)}
    />
  );
}

export function CheckBox({ label, on }: { readonly label: string; readonly on: Signal<boolean> }) {
  const write = (isOn: boolean): void => {
    on.value = isOn;
  };
  return (
    <label class="check">
      <input type="checkbox" checked={on.value} onChange={(event) => write(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

interface InputProps {
  readonly id?: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  /** The id of a list of suggestions. */
  readonly list?: string | undefined;
  /** For a text of several lines. */
  readonly rows?: number | undefined;
  readonly onWrite: (text: string) => void;
}

export function Input({ onWrite, rows, ...rest }: InputProps) {
  const onInput = ({ currentTarget }: Written): void => onWrite(currentTarget.value);
  return rows === undefined ? (
    <input type="text" autocomplete="off" spellcheck={false} onInput={onInput} {...rest} />
  ) : (
    <textarea class="wide-text" rows={rows} spellcheck={false} onInput={onInput} {...rest} />
  );
}

interface LabeledInputProps extends InputProps {
  readonly label: string;
  readonly isLong?: boolean;
}

export function LabeledInput({ label, isLong = false, ...input }: LabeledInputProps) {
  return (
    <label class={isLong ? 'field long' : 'field'}>
      <span>{label}</span>
      <Input {...input} />
    </label>
  );
}

interface TextFormProps {
  readonly label: string;
  readonly buttons: readonly string[];
  readonly placeholder: string;
  /** For text of several lines: the initial text. */
  readonly example?: string;
  /** Called with the text and the pressed button. Resolves with whether the field becomes empty. */
  readonly onSend: (text: string, button: string) => Promise<boolean>;
}

/** A field with the buttons that send it. */
export function TextForm({ label, buttons, placeholder, example, onSend }: TextFormProps) {
  const [text, setText] = useState(example ?? '');
  const send = async (button: string): Promise<void> => {
    if (await onSend(text.trim(), button)) setText('');
  };
  return (
    <div class="form-line">
      <label for="new-row">
        <span class="soft">{label}</span>
        <Input
          id="new-row"
          rows={example === undefined ? undefined : 3}
          value={text}
          placeholder={placeholder}
          onWrite={setText}
        />
      </label>
      {buttons.map((button) => (
        <Button key={button} disabled={text.trim() === ''} onPress={() => send(button)}>
          {button}
        </Button>
      ))}
    </div>
  );
}

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly count?: number | undefined;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Signal<Name>;
  readonly panel: string;
}

/** A row of tabs with arrow key navigation. */
export function Tabs<Name extends string>({ label, tabs, chosen, panel }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (name: Name): void => {
    chosen.value = name;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const turn = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? -step : step;
    const at = tabs.findIndex(({ name }) => name === chosen.value) + (Math.abs(step) === 1 ? turn : step);
    const index = Math.min(Math.max(at, 0), tabs.length - 1);
    const next = tabs[index];
    if (next) choose(next.name);
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
          aria-selected={name === chosen.value}
          aria-controls={panel}
          tabIndex={name === chosen.value ? 0 : -1}
          onClick={() => choose(name)}
        >
          {words}
          {count === undefined ? undefined : <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

interface TableProps<Row> {
  /** What a column shows of a row, by its label. */
  readonly columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly actions?: ((row: Row) => ComponentChildren) | undefined;
}

/** A table, on a phone a list of cards. */
export function DataTable<Row>({ columns, rows, keyOf, actions }: TableProps<Row>) {
  const labels = Object.keys(columns);
  return (
    <table class="table">
      <thead>
        <tr>
          {labels.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
          {actions ? (
            <th scope="col">
              <span class="sr">Actions</span>
            </th>
          ) : undefined}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {labels.map((label) => (
              <td key={label} data-label={label}>
                {columns[label]?.(row)}
              </td>
            ))}
            {actions ? <td class="row-tools">{actions(row)}</td> : undefined}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Loading({ children = 'Loading…' }: { readonly children?: string }) {
  return (
    <p class="pad soft" role="status">
      {children}
    </p>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children ? <p>{children}</p> : undefined}
    </div>
  );
}

/** How many entries of a list are not shown. */
export function More({ count, words = '' }: { readonly count: number; readonly words?: string }) {
  return count > 0 ? (
    <p class="pad soft">
      and {count} more{words}
    </p>
  ) : undefined;
}

interface ErrorProps {
  readonly message: string | undefined;
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
  readonly children?: ComponentChildren;
}

export function ErrorMessage({ message, where, hint, children }: ErrorProps) {
  if (message === undefined) return undefined;
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
export function TextBlock({ text }: { readonly text: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <pre class="text-block" tabIndex={0}>
      {text}
    </pre>
  );
}

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

export function downloadText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

type Component<Props> = (props: Props) => ComponentChildren;

/** Returns a component that loads its code when it is first shown. */
export function late<Props extends object = object>(load: () => Promise<Component<Props>>): Component<Props> {
  let Loaded: Component<Props> | undefined;
  return function Late(props) {
    const { fault } = useLoad('code', async () => {
      Loaded ??= await load();
    });
    if (Loaded) return <Loaded {...props} />;
    if (fault) return <ErrorMessage message="This screen could not be loaded." hint="Reload the page." />;
    return <Loading />;
  };
}

interface NavProps<Name extends string> {
  readonly label: string;
  readonly kind?: 'nav' | 'nav pages';
  readonly pages: readonly { readonly name: Name; readonly label: string }[];
  readonly here: string;
  readonly hrefOf: (name: Name) => string;
}

/** A row of links to sibling pages. If it is wider than the page, the current link is scrolled into view. */
export function Nav<Name extends string>({ label, kind = 'nav', pages, here, hrefOf }: NavProps<Name>) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [here]);
  return (
    <nav class={kind} aria-label={label} ref={row}>
      {pages.map(({ name, label: words }) => (
        <a key={name} href={hrefOf(name)} data-label={words} aria-current={name === here ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

// `now` is in milliseconds; the result is such as `3 days ago`.
function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? 'just now' : format.format(Math.trunc(seconds / size), unit);
}

/** A point in time relative to the emulator's clock, with the exact time as its title. */
export function RelativeTime({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {relativeTime(iso, emulatorNow())}
    </time>
  );
}

/** The avatar of a user or an organization. It has no text of its own, because the name is next to it. */
export function Avatar({ name, size }: { readonly name: string; readonly size: number }) {
  const path = `avatars/${encodeURIComponent(name)}`;
  // Without a server, an image has no address to load from.
  const { value: svg } = useLoad(path, isInPage ? () => requestText('GET', path) : undefined);
  const drawn = svg && `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const source = isInPage ? drawn : root + path;
  return source === undefined ? undefined : <img class="avatar" src={source} alt="" width={size} height={size} />;
}

// Fields that apply their text on change, or while typing. Typed text survives a rerender.

interface FieldProps {
  readonly id?: string | undefined;
  readonly value: string;
  readonly placeholder?: string | undefined;
  /** Whether typed text is also applied after a short pause. Default: on Enter or blur. */
  readonly appliesTyping?: boolean | undefined;
  /** The id of a list of suggestions. */
  readonly list?: string | undefined;
  readonly isNumber?: boolean;
  readonly rows?: number;
  readonly isFaulty?: boolean;
  /** Called with the text. If it returns `kept`, the text was rejected and stays in the field to be corrected. */
  readonly onWrite: (text: string) => unknown;
}

const typingPause = 400;

interface Written {
  readonly currentTarget: { readonly value: string };
}

// A rerender while typing would restore the last value.
function useTyped(props: Pick<FieldProps, 'value' | 'onWrite' | 'appliesTyping'>) {
  const { value, onWrite, appliesTyping = false } = props;
  const [typed, setTyped] = useState<string>();
  const latest = useRef(props);
  latest.current = props;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    value: typed ?? value,
    onInput: ({ currentTarget: { value: text } }: Written): void => {
      setTyped(text);
      clearTimeout(timer.current);
      if (appliesTyping) timer.current = setTimeout(() => latest.current.onWrite(text), typingPause);
    },
    onChange: ({ currentTarget }: Written): void => {
      clearTimeout(timer.current);
      if (onWrite(currentTarget.value) !== 'kept') setTyped(undefined);
    },
  };
}

/** A field of one line, or of several `rows`. */
export function TextField({ value, onWrite, appliesTyping, rows, isFaulty = false, isNumber, ...rest }: FieldProps) {
  const typed = useTyped({ value, onWrite, appliesTyping });
  return rows === undefined ? (
    <input
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      spellcheck={false}
      autocomplete="off"
      {...rest}
      {...typed}
    />
  ) : (
    <textarea rows={rows} spellcheck={false} aria-invalid={isFaulty} {...rest} {...typed} />
  );
}

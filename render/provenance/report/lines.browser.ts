// A list of lines with keyboard and pointer navigation.

export interface LinesOptions {
  /** The accessible name of the list. */
  readonly label: string;
  /** Called with the line (from 0) that is hovered, or that navigation moved to. */
  readonly onLine?: (line: number) => void;
  /** Called with a selected line: a click or the Enter key. */
  readonly onChoose?: (line: number) => void;
}

const rowHeight = 20;
let lists = 0;

export class LineList {
  readonly element = make('div', 'lines');
  readonly #id = `lines-${++lists}`;
  #options: LinesOptions = { label: '' };
  #rows: readonly HTMLElement[] = [];
  #active = 0;

  /** `label` is the accessible name of the list while it is empty. */
  constructor(label: string) {
    const { element } = this;
    element.setAttribute('aria-label', label);
    element.tabIndex = 0;
    element.setAttribute('role', 'listbox');
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('mouseover', (event) => {
      const line = this.#lineOf(event);
      if (line >= 0) this.#options.onLine?.(line);
    });
    element.addEventListener('mouseleave', () => this.#options.onLine?.(this.#active));
    element.addEventListener('click', (event) => {
      const line = this.#lineOf(event);
      if (line < 0) return;
      this.goTo(line);
      this.#options.onChoose?.(line);
    });
  }

  show(lines: readonly (readonly (Node | string)[])[], options: LinesOptions): void {
    this.#options = options;
    this.#active = 0;
    this.element.setAttribute('aria-label', options.label);
    this.#rows = lines.map((content, line) => {
      const row = make('div', 'row', make('span', 'number', String(line + 1)), make('span', 'code', ...content));
      row.id = `${this.#id}-${line}`;
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', 'false');
      return row;
    });
    this.element.replaceChildren(...this.#rows);
    this.element.scrollTo(0, 0);
  }

  /** Makes a line (from 0) active and scrolls to it. */
  goTo(line: number): void {
    this.#rows[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = Math.max(0, Math.min(line, this.#rows.length - 1));
    const row = this.#rows[this.#active];
    if (row === undefined) return;
    row.setAttribute('aria-selected', 'true');
    this.element.setAttribute('aria-activedescendant', row.id);
    const { scrollTop, clientHeight } = this.element;
    const isVisible =
      row.offsetTop >= scrollTop + rowHeight && row.offsetTop <= scrollTop + clientHeight - 2 * rowHeight;
    if (!isVisible) this.element.scrollTop = row.offsetTop - clientHeight / 3;
    this.#options.onLine?.(this.#active);
  }

  #lineOf({ target }: Event): number {
    const row = (target as Element).closest<HTMLElement>('.row');
    return row === null ? -1 : this.#rows.indexOf(row);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: this.#rows.length - 1,
    };
    const line = steps[event.key];
    if (line !== undefined) this.goTo(line);
    else if (event.key === 'Enter') this.#options.onChoose?.(this.#active);
    else return;
    event.preventDefault();
  }
}

/** Creates an element with escaped texts. */
export function make(name: string, className: string, ...content: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

// A virtual list of lines with keyboard and pointer navigation: only visible lines are in the document.

export interface LinesOptions {
  /** The accessible name of the list. */
  readonly label: string;
  /** Returns the content of a line (from 0). */
  readonly draw: (line: number) => Iterable<Node>;
  /** Returns the class of a line; empty for none. */
  readonly mark?: (line: number) => string;
  /** Called with the line that is hovered, or that keyboard navigation moved to. */
  readonly onLine?: (line: number) => void;
  /** Called with a selected line: a click or the Enter key. */
  readonly onChoose?: (line: number) => void;
}

const rowHeight = 20;
const margin = 20;
let lists = 0;

export class LineList {
  readonly element: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #id = `lines-${++lists}`;
  #options: LinesOptions = { label: '', draw: () => [] };
  #count = 0;
  #active = -1;

  constructor() {
    this.element = make('div', 'lines');
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'listbox');
    this.#rows = make('div', 'rows');
    this.#rows.setAttribute('role', 'presentation');
    this.element.append(this.#rows);
    this.element.addEventListener('scroll', () => this.#drawRows(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('mouseover', (event) => this.#hear(event, this.#options.onLine));
    this.element.addEventListener('mouseleave', () => {
      if (this.#active >= 0) this.#options.onLine?.(this.#active);
    });
    this.element.addEventListener('click', (event) => {
      this.#hear(event, (line) => {
        this.goTo(line, false);
        this.#options.onChoose?.(line);
      });
    });
    new ResizeObserver(() => this.#drawRows()).observe(this.element);
  }

  /** Shows other lines; `width` is the length of the longest one. */
  show(count: number, width: number, options: LinesOptions): void {
    this.#options = options;
    this.#count = count;
    this.#active = -1;
    this.element.setAttribute('aria-label', options.label);
    this.#rows.style.height = `${count * rowHeight}px`;
    this.#rows.style.minWidth = `${width + 8}ch`;
    this.element.scrollTo(0, 0);
    this.#drawRows();
  }

  /** Makes a line (from 0) active and scrolls to it. */
  goTo(line: number, isHeard = true): void {
    this.#active = Math.max(0, Math.min(line, this.#count - 1));
    const { scrollTop, clientHeight } = this.element;
    const top = this.#active * rowHeight;
    if (top < scrollTop + rowHeight || top > scrollTop + clientHeight - 2 * rowHeight) {
      this.element.scrollTop = top - clientHeight / 3;
    }
    this.#drawRows();
    if (isHeard && this.#count > 0) this.#options.onLine?.(this.#active);
  }

  #hear(event: Event, listener: ((line: number) => void) | undefined): void {
    const row = (event.target as Element).closest<HTMLElement>('[data-line]');
    if (row !== null) listener?.(Number(row.dataset.line));
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
      End: this.#count - 1,
    };
    const line = steps[event.key];
    if (line !== undefined) this.goTo(line);
    else if (event.key === 'Enter' && this.#active >= 0) this.#options.onChoose?.(this.#active);
    else return;
    event.preventDefault();
  }

  #drawRows(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.min(this.#count, Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
    this.#rows.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, at) => this.#row(first + at)));
    const isThere = this.#active >= first && this.#active < last;
    if (isThere) this.element.setAttribute('aria-activedescendant', `${this.#id}-${this.#active}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  #row(line: number): HTMLElement {
    const row = make('div', `row ${this.#options.mark?.(line) ?? ''}`.trim());
    row.id = `${this.#id}-${line}`;
    row.dataset.line = String(line);
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(line === this.#active));
    row.setAttribute('aria-setsize', String(this.#count));
    row.setAttribute('aria-posinset', String(line + 1));
    row.style.top = `${line * rowHeight}px`;
    row.append(make('span', 'number', String(line + 1)), make('span', 'code', ...this.#options.draw(line)));
    return row;
  }
}

/** Creates an element with escaped texts. */
export function make(name: string, className: string, ...content: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}

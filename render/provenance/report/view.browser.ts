// The view of a report: objects and search, the manifest, the explanation of a line, and the sources.

import type { ReportCondition, ReportData, ReportPart, ReportSetter } from './data.ts';
import { LineList, make } from './lines.browser.ts';
import { search } from './search.ts';

export function mountReport(root: HTMLElement, data: ReportData): void {
  new ReportView(root, data);
}

const ways = ['used here', 'computed from it', 'decides', 'decides with others'] as const;
const kinds: Readonly<Partial<Record<ReportSetter[3], string>>> = {
  patch: 'patch of the Order',
  'parent-chart': 'parent chart',
  'import-values': 'import-values',
};

class ReportView {
  readonly #data: ReportData;
  readonly #search = document.createElement('input');
  readonly #results = make('div', 'results');
  readonly #heading = make('h2', '');
  readonly #lines = new LineList('Lines');
  readonly #why = make('div', 'body');
  readonly #sourceHeading = make('h2', '', 'Source');
  readonly #sourceLines = new LineList('Source');
  #object = -1;
  #shown = -1;
  #sourceFile = -1;

  constructor(root: HTMLElement, data: ReportData) {
    this.#data = data;
    this.#search.type = 'search';
    this.#search.id = 'search';
    this.#search.placeholder = 'Objects, lines, values';
    this.#why.setAttribute('aria-live', 'polite');
    this.#why.tabIndex = 0;
    const keys = make('p', 'dim keys', '/ search · ↑ ↓ lines · Enter source · [ ] objects');
    root.replaceChildren(
      make('header', '', make('h1', '', data.title), make('label', '', 'Search ', this.#search), keys),
      labelled('Objects', make('nav', '', this.#results)),
      make('main', '', this.#heading, this.#lines.element),
      labelled('Why the line is what it is', make('section', 'why', make('h2', '', 'Why'), this.#why)),
      labelled('Source', make('section', 'source', this.#sourceHeading, this.#sourceLines.element)),
    );
    let timer = 0;
    this.#search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => this.#drawResults(), 80);
    });
    document.addEventListener('keydown', (event) => this.#onKey(event));
    window.addEventListener('hashchange', () => this.#followAddress());
    this.#drawResults();
    this.#followAddress();
  }

  // Selects a line (from 0) of an object.
  #goTo(object: number, line: number): void {
    const found = this.#data.objects[object];
    if (found === undefined) return;
    if (object !== this.#object) {
      this.#object = object;
      this.#heading.replaceChildren(found.title, ' ', make('small', 'dim', found.source));
      this.#lines.show(
        found.lines.map((text, at) => [...markValues(text, found.parts[at] ?? [])]),
        {
          label: `Lines of ${found.title}`,
          onLine: (at) => this.#explain(at),
          onChoose: (at) => this.#openSource(at),
        },
      );
      this.#markCurrent();
    }
    this.#shown = -1;
    this.#lines.goTo(line);
  }

  #markCurrent(): void {
    for (const link of this.#results.querySelectorAll<HTMLElement>('[data-object]')) {
      if (link.dataset.object === String(this.#object)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  #followAddress(): void {
    const [, title, line = '1'] = /^#(.*?)(?::(\d+))?$/.exec(decodeURI(location.hash)) ?? [];
    const object = this.#data.objects.findIndex((one) => one.title === title);
    this.#goTo(Math.max(object, 0), Number(line) - 1);
  }

  #onKey(event: KeyboardEvent): void {
    const isTyping = event.target === this.#search;
    if (event.key === 'Escape' && isTyping) this.#lines.element.focus();
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') this.#search.focus();
    else if (event.key === '[') this.#goTo(this.#object - 1, 0);
    else if (event.key === ']') this.#goTo(this.#object + 1, 0);
    else if (event.key === 'Escape') this.#lines.element.focus();
    else return;
    event.preventDefault();
  }

  #drawResults(): void {
    const groups = search(this.#data, this.#search.value);
    const parts = groups.flatMap(({ name, hits, more }) => {
      const list = make('ul', '');
      for (const { object, line, text } of hits) {
        const link = make('a', '', text) as HTMLAnchorElement;
        link.href = `#${encodeURI(this.#data.objects[object]?.title ?? '')}:${line + 1}`;
        if (name === 'Objects') link.dataset.object = String(object);
        list.append(make('li', '', link));
      }
      const rest = more === 0 ? [] : [make('p', 'dim', `and ${more} more`)];
      return hits.length === 0 ? [] : [make('h2', '', `${name} (${hits.length + more})`), list, ...rest];
    });
    this.#results.replaceChildren(...(parts.length === 0 ? [make('p', 'dim', 'Nothing is found.')] : parts));
    this.#markCurrent();
  }

  #explain(line: number): void {
    if (line === this.#shown) return;
    this.#shown = line;
    const object = this.#data.objects[this.#object];
    const parts = object?.parts[line] ?? [];
    const conditions = new Set(parts.flatMap(([, , , , taken]) => taken));
    this.#why.replaceChildren(
      make('pre', 'asked', object?.lines[line] ?? ''),
      ...parts.map((part) => this.#drawPart(part)),
      ...[...conditions].map((at) => this.#drawCondition(this.#data.conditions[at]!)),
      ...(parts.length === 0 ? [make('p', 'dim', 'No action wrote this line.')] : []),
    );
  }

  #drawPart([text, place, through, values]: ReportPart): HTMLElement {
    const block = make('div', 'part', make('p', 'what', text.trim()));
    [...through, place].forEach((at, index) => {
      block.append(this.#drawPlace(index === 0 ? 'written by' : 'through', at));
    });
    block.append(...values.map(([value, how]) => this.#drawValue(value, ways[how])));
    return block;
  }

  #drawCondition([place, isElse, values]: ReportCondition): HTMLElement {
    const block = make('div', 'part', this.#drawPlace(isElse === 1 ? 'there for the else of' : 'there for', place));
    block.append(...values.map((value) => this.#drawValue(value, ways[2])));
    return block;
  }

  #drawPlace(words: string, at: number): HTMLElement {
    const [file, line, column, text] = this.#data.places[at] ?? [0, 1, 1, ''];
    const name = `${this.#data.files[file]?.path}:${line}:${column}`;
    const shown = text === '' ? [] : [' ', make('code', '', text)];
    return make('p', '', `${words} `, this.#link(name, file, line), ...shown);
  }

  #drawValue(at: number, words: string): HTMLElement {
    const { path, value, setBy } = this.#data.values[at] ?? { path: '', value: '', setBy: [] };
    const list = make('ul', 'setters');
    setBy.forEach(([where, file, line, kind], index) => {
      const kindWords = kinds[kind] === undefined ? '' : ` (${kinds[kind]})`;
      list.append(make('li', '', index === 0 ? 'set by ' : 'over ', this.#link(where, file, line), kindWords));
    });
    const block = make('div', 'value', make('code', '', path), ' = ', make('code', '', value));
    block.append(make('span', 'dim', ` ${words}`), ...(setBy.length === 0 ? [] : [list]));
    return block;
  }

  #link(text: string, file: number, line: number): Node {
    if (this.#data.files[file]?.text === undefined || line === 0) return make('span', 'where', text);
    const button = make('button', 'where', text) as HTMLButtonElement;
    button.type = 'button';
    button.addEventListener('click', () => {
      this.#showSource(file, line);
      this.#sourceLines.element.focus();
    });
    return button;
  }

  // The innermost place that read values is the most informative one.
  #openSource(line: number): void {
    const parts = this.#data.objects[this.#object]?.parts[line] ?? [];
    const part = parts.findLast(([, , , values]) => values.length > 0) ?? parts.at(-1);
    const [file, at] = this.#data.places[part?.[1] ?? -1] ?? [-1, 0];
    if (file >= 0) this.#showSource(file, at);
  }

  #showSource(file: number, line: number): void {
    const { path, text } = this.#data.files[file] ?? {};
    if (text === undefined) return;
    const lines = text.split('\n');
    this.#sourceHeading.textContent = path ?? '';
    if (file !== this.#sourceFile) {
      this.#sourceLines.show(
        lines.map((line) => [line]),
        { label: `Source of ${path}` },
      );
    }
    this.#sourceFile = file;
    this.#sourceLines.goTo(line - 1);
  }
}

// Text from values is highlighted against literal text.
function* markValues(line: string, parts: readonly ReportPart[]): Generator<Node | string> {
  let from = 0;
  for (const [text, , , values] of parts) {
    const at = text === '' ? -1 : line.indexOf(text, from);
    if (at < 0 || values.length === 0) continue;
    const how = Math.min(...values.map(([, way]) => way));
    if (how === 2) continue;
    yield line.slice(from, at);
    yield make('span', how === 0 ? 'exact' : 'computed', text);
    from = at + text.length;
  }
  yield line.slice(from);
}

function labelled(label: string, element: HTMLElement): HTMLElement {
  element.setAttribute('aria-label', label);
  return element;
}

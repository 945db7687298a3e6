// The view of a report: objects and search, the manifest, the explanation of a line, and the sources.

import type { ReportCondition, ReportData, ReportPart, ReportSetter } from './data.ts';
import { LineList, make } from './lines.browser.ts';
import { search } from './search.ts';

/** Shows a report in an element and returns a function that selects a line of an object. */
export function mountReport(root: HTMLElement, data: ReportData): (object: number, line: number) => void {
  const view = new ReportView(data);
  root.replaceChildren(view.header, view.navigation, view.manifest, view.why, view.source);
  view.start();
  return (object, line) => view.goTo(object, line);
}

const ways = ['used here', 'computed from it', 'decides', 'decides with others'] as const;
const kinds: Readonly<Partial<Record<ReportSetter[3], string>>> = {
  patch: 'patch of the Order',
  'parent-chart': 'parent chart',
  'import-values': 'import-values',
};

class ReportView {
  readonly header = make('header', '');
  readonly navigation = make('nav', '');
  readonly manifest = make('main', '');
  readonly why = make('section', 'why');
  readonly source = make('section', 'source');
  readonly #data: ReportData;
  readonly #box = document.createElement('input');
  readonly #results = make('div', 'results');
  readonly #heading = make('h2', '');
  readonly #lines = new LineList();
  readonly #whyBody = make('div', 'body');
  readonly #sourceHeading = make('h2', '', 'Source');
  readonly #sourceLines = new LineList();
  #object = -1;
  #shown = -1;
  #sourceFile = -1;

  constructor(data: ReportData) {
    this.#data = data;
    this.#box.type = 'search';
    this.#box.id = 'search';
    this.#box.placeholder = 'Objects, lines, values';
    const label = make('label', '', 'Search ');
    label.append(this.#box);
    const keys = make('p', 'dim keys', '/ search · ↑ ↓ lines · Enter source · [ ] objects');
    this.header.append(make('h1', '', data.title), label, keys);
    this.navigation.setAttribute('aria-label', 'Objects');
    this.navigation.append(this.#results);
    this.manifest.append(this.#heading, this.#lines.element);
    this.why.setAttribute('aria-label', 'Why the line is what it is');
    this.#whyBody.setAttribute('aria-live', 'polite');
    this.#whyBody.tabIndex = 0;
    this.why.append(make('h2', '', 'Why'), this.#whyBody);
    this.source.setAttribute('aria-label', 'Source');
    this.source.append(this.#sourceHeading, this.#sourceLines.element);
    let timer = 0;
    this.#box.addEventListener('input', () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => this.#drawResults(), 80);
    });
    document.addEventListener('keydown', (event) => this.#onKey(event));
    window.addEventListener('hashchange', () => this.#followAddress());
  }

  start(): void {
    this.#drawResults();
    this.#followAddress();
  }

  /** Selects a line (from 0) of an object. */
  goTo(object: number, line: number): void {
    const found = this.#data.objects[object];
    if (found === undefined) return;
    if (object !== this.#object) {
      this.#object = object;
      this.#heading.replaceChildren(found.title, ' ', make('small', 'dim', found.source));
      this.#lines.show(found.lines.length, longest(found.lines), {
        label: `Lines of ${found.title}`,
        draw: (at) => this.#drawLine(found.lines[at] ?? '', found.parts[at] ?? []),
        onLine: (at) => this.#explain(at),
        onChoose: (at) => this.#openSource(at),
      });
      for (const link of this.#results.querySelectorAll('[data-object]')) {
        const isIt = (link as HTMLElement).dataset.object === String(object);
        if (isIt) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    }
    this.#shown = -1;
    this.#lines.goTo(line);
  }

  #followAddress(): void {
    const [, title, line = '1'] = /^#(.*?)(?::(\d+))?$/.exec(decodeURI(location.hash)) ?? [];
    const object = this.#data.objects.findIndex((one) => one.title === title);
    this.goTo(Math.max(object, 0), Number(line) - 1);
  }

  #onKey(event: KeyboardEvent): void {
    const isTyping = event.target === this.#box;
    if (event.key === 'Escape' && isTyping) this.#lines.element.focus();
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') this.#box.focus();
    else if (event.key === '[') this.goTo(this.#object - 1, 0);
    else if (event.key === ']') this.goTo(this.#object + 1, 0);
    else if (event.key === 'Escape') this.#lines.element.focus();
    else return;
    event.preventDefault();
  }

  #drawResults(): void {
    const groups = search(this.#data, this.#box.value);
    const parts = groups.flatMap(({ name, hits, more }) => {
      const list = make('ul', '');
      for (const { object, line, text } of hits) {
        const link = make('a', '', text) as HTMLAnchorElement;
        link.href = `#${encodeURI(this.#data.objects[object]?.title ?? '')}:${line + 1}`;
        if (name === 'Objects') link.dataset.object = String(object);
        if (name === 'Objects' && object === this.#object) link.setAttribute('aria-current', 'true');
        list.append(make('li', '', link));
      }
      const rest = more === 0 ? [] : [make('p', 'dim', `and ${more} more`)];
      return hits.length === 0 ? [] : [make('h2', '', `${name} (${hits.length + more})`), list, ...rest];
    });
    this.#results.replaceChildren(...(parts.length === 0 ? [make('p', 'dim', 'Nothing is found.')] : parts));
  }

  // Text from values is highlighted against literal text.
  *#drawLine(line: string, parts: readonly ReportPart[]): Generator<Node> {
    let from = 0;
    for (const [text, , , values] of parts) {
      const at = text === '' ? -1 : line.indexOf(text, from);
      if (at < 0 || values.length === 0) continue;
      const how = Math.min(...values.map(([, way]) => way));
      if (how === 2) continue;
      yield document.createTextNode(line.slice(from, at));
      yield make('span', how === 0 ? 'exact' : 'computed', text);
      from = at + text.length;
    }
    yield document.createTextNode(line.slice(from));
  }

  #explain(line: number): void {
    if (line === this.#shown) return;
    this.#shown = line;
    const object = this.#data.objects[this.#object];
    const parts = object?.parts[line] ?? [];
    const chainIndexes = new Set(parts.map(([, , , , chain]) => chain));
    const conditions = [...chainIndexes].flatMap((chain) => this.#data.chains[chain] ?? []);
    this.#whyBody.replaceChildren(
      make('pre', 'asked', object?.lines[line] ?? ''),
      ...parts.map((part) => this.#drawPart(part)),
      ...[...new Set(conditions)].map((at) => this.#drawCondition(this.#data.conditions[at]!)),
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
      this.#sourceLines.show(lines.length, longest(lines), {
        label: `Source of ${path}`,
        draw: (at) => [document.createTextNode(lines[at] ?? '')],
      });
    }
    this.#sourceFile = file;
    this.#sourceLines.goTo(line - 1);
  }
}

function longest(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, line.length), 0);
}

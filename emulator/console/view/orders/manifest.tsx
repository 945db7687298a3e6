// The manifest: an outline by kind on one side, the text with folding and search on the other.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { HoverCard } from '../../editor/words.ts';
import { checks, failure, outline, preview } from '../../order/draft.ts';
import { groupByKind, type OutlinedObject } from '../../order/outline.ts';
import {
  askWhy,
  type Decider,
  deciderOf,
  prepareWhenIdle,
  prepareWhy,
  type Setter,
  shortJson,
  type Why,
} from '../../order/why.ts';
import { Code } from '../code.tsx';
import { Button, copyText, downloadText } from '../parts.tsx';
import { fileName } from './actions.ts';
import { showDecider } from './sides.ts';
import { WhyPanel } from './why.tsx';

/** The tab. */
export function ManifestTab() {
  const manifest = preview.value?.manifest ?? '';
  const [search, setSearch] = useState('');
  const [line, setLine] = useState<{ readonly line: number }>();
  const [find, setFind] = useState(0);
  const [asked, setAsked] = useState<number>();
  const objects = outline.value;
  const groups = useMemo(() => groupByKind(objects, search), [objects, search]);
  // Its checks come first.
  const isStill = checks.value !== undefined && failure.value === undefined;
  useEffect(() => (isStill ? prepareWhenIdle() : undefined), [isStill, preview.value]);
  return (
    <div class="manifest">
      <nav class="outline" aria-label="Objects of the manifest">
        <input
          type="search"
          class="outline-search"
          aria-label="Search objects"
          placeholder="Kind, name, template"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <div class="outline-list">
          {groups.map(({ kind, objects: found }) => (
            <details key={kind} open>
              <summary>
                {kind} <span class="count">{found.length}</span>
              </summary>
              <ul>
                {found.map((object) => (
                  <OutlineRow key={`${object.line}`} object={object} onShow={() => setLine({ line: object.line })} />
                ))}
              </ul>
            </details>
          ))}
          {groups.length === 0 ? (
            <p class="soft pad">{search === '' ? 'It holds no objects.' : 'No object is called that.'}</p>
          ) : undefined}
        </div>
      </nav>
      <div class="viewer" onPointerEnter={prepareWhy} onFocusIn={prepareWhy}>
        <div class="viewer-tools">
          <Button icon="find" kind="quiet" onPress={() => setFind(find + 1)}>
            Find
          </Button>
          <Button icon="copy" kind="quiet" onPress={() => copyText(manifest, 'Manifest')}>
            Copy
          </Button>
          <Button icon="download" kind="quiet" onPress={() => downloadText(manifest, fileName('-manifest.yaml'))}>
            Download
          </Button>
        </div>
        <Code
          label="Manifest"
          text={manifest}
          line={line}
          find={find}
          onLine={setAsked}
          onPick={goToDecider}
          onHover={cardOf}
        />
        {asked === undefined ? (
          <p class="hint">
            Choose a line to see what made it.
            <span class="wide"> A click, or Enter, leads to the field that decides it.</span>
          </p>
        ) : (
          <WhyPanel line={asked} onClose={() => setAsked(undefined)} />
        )}
      </div>
    </div>
  );
}

function OutlineRow({ object, onShow }: { readonly object: OutlinedObject; readonly onShow: () => void }) {
  const { name, namespace, source } = object;
  return (
    <li>
      <button type="button" class="outline-row" title={source} onClick={onShow}>
        {name || '(no name)'}
        {namespace === '' ? undefined : <span class="soft"> {namespace}</span>}
      </button>
    </li>
  );
}

// Which field decides a line of the text, and where that is written.
async function goToDecider(line: number, column: number): Promise<void> {
  const { activeElement } = document;
  const decider = deciderOf(await askWhy(line), column);
  // Who is elsewhere by now stays there, and so does what they type.
  if (decider && activeElement === document.activeElement) showDecider(decider);
}

async function cardOf(line: number, column: number): Promise<HoverCard | undefined> {
  const why = await askWhy(line);
  if (why.parts.length === 0) return undefined;
  const decider = deciderOf(why, column);
  const part = partOf(why, decider) ?? why.parts.at(-1);
  if (!part) return undefined;
  const { place, values } = part;
  return {
    title: `${place.file}:${place.line}`,
    code: place.source.trim(),
    rows: (values.length === 0 && decider ? [decider] : values).slice(0, mostValues).map(wordsOfValue),
    hint: decider ? `Click or Enter: to the field of ${decider.path}` : 'Nothing that can be set decides it.',
  };
}

// More are in the panel.
const mostValues = 5;

function partOf({ parts }: Why, decider: Decider | undefined): Why['parts'][number] | undefined {
  return parts.find(({ values }) => values.some(({ path }) => path === decider?.path));
}

function wordsOfValue(value: Pick<Decider, 'path' | 'value'> & { readonly setBy?: readonly Setter[] }): string {
  const [setter] = value.setBy ?? [];
  const where = setter?.where.startsWith('spec.') ? `line ${setter.line} of the Order` : setter?.where;
  return `${value.path} is ${shortJson(value.value)}${where === undefined ? '' : `, set by ${where}`}`;
}

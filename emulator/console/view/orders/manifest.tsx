// The manifest: the outline by package on one side, the text on the other.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Setter } from '../../../../render/index.ts';
import type { HoverCard } from '../../../../render/language/help.ts';
import { checks, draftFailure, manifestChanges, outline, preview } from '../../order/draft.ts';
import { groupByPackage, type OutlinedObject } from '../../order/manifest.ts';
import { type Decider, deciderOf, prepareWhenIdle, prepareWhy, requestWhy, shortJson } from '../../order/why.ts';
import { Code } from '../code.tsx';
import { Button, CopyButton, DownloadButton, SearchField } from '../parts.tsx';
import { Splitter } from '../splitter.tsx';
import { fileName } from './actions.ts';
import { showDecider } from './selection.ts';
import { WhyPanel } from './why.tsx';

/** The tab. */
export function ManifestTab() {
  const manifest = preview.value?.manifest ?? '';
  const search = useSignal('');
  const [line, setLine] = useState<{ readonly line: number }>();
  const [find, setFind] = useState(0);
  const [questionLine, setQuestionLine] = useState<number>();
  const objects = outline.value;
  const groups = useMemo(() => groupByPackage(objects, search.value), [objects, search.value]);
  const { added, changed, removed } = manifestChanges.value;
  const changedTexts = useMemo(() => [...changed].map(([{ line }, texts]) => ({ line, ...texts })), [changed]);
  const statusOf = (object: OutlinedObject): ObjectStatus =>
    added.has(object) ? 'added' : changed.has(object) ? 'changed' : undefined;
  // Its checks come first.
  const isStill = checks.value !== undefined && draftFailure.value === undefined;
  useEffect(() => (isStill ? prepareWhenIdle() : undefined), [isStill, preview.value]);
  return (
    <div class="manifest">
      <nav class="outline" aria-label="Objects of the manifest">
        <SearchField class="outline-search" label="Search objects" placeholder="Search objects" text={search} />
        <div class="outline-list">
          <ChangeSummary onShow={(shown) => setLine({ line: shown })} />
          {groups.map(({ package: index, objects: found }) => (
            <details key={index} open>
              <summary>
                {releaseOf(index)} <span class="count">{found.length}</span>
              </summary>
              <ul>
                {found.map((object) => (
                  <OutlineRow
                    key={`${object.line}`}
                    object={object}
                    status={statusOf(object)}
                    onShow={() => setLine({ line: object.line })}
                  />
                ))}
              </ul>
            </details>
          ))}
          {removed.length > 0 ? (
            <details>
              <summary>
                Removed <span class="count">{removed.length}</span>
              </summary>
              <ul>
                {removed.map((object) => (
                  <li key={`${object.line}`} class="outline-row" data-status="removed">
                    <span class="soft">{object.kind}</span> {object.name}
                  </li>
                ))}
              </ul>
            </details>
          ) : undefined}
          {groups.length === 0 ? (
            <p class="soft pad">{search.value === '' ? 'No objects' : 'No objects found'}</p>
          ) : undefined}
        </div>
      </nav>
      <Splitter name="outline" label="Width of the outline" least={160} most={600} />
      <div class="viewer" onPointerEnter={prepareWhy} onFocusIn={prepareWhy}>
        <div class="viewer-tools">
          <Button icon="find" kind="quiet" onPress={() => setFind(find + 1)}>
            Find
          </Button>
          <CopyButton text={manifest} what="Manifest" />
          <DownloadButton text={manifest} name={fileName('-manifest.yaml')} />
        </div>
        <Code
          label="Manifest"
          text={manifest}
          changes={changedTexts}
          line={line}
          find={find}
          onLine={setQuestionLine}
          onPick={goToDecider}
          onHover={cardOf}
        />
        {questionLine === undefined ? (
          <p class="hint">
            Select a line to see what made it.
            <span class="wide"> Click or press Enter to edit the value behind it.</span>
          </p>
        ) : (
          <WhyPanel line={questionLine} onClose={() => setQuestionLine(undefined)} />
        )}
      </div>
    </div>
  );
}

function releaseOf(index: number): string {
  const { release, chart } = preview.value?.packages[index] ?? {};
  return release || chart || `Package ${index + 1}`;
}

type ObjectStatus = 'added' | 'changed' | undefined;

const statusMarks = { added: '+', changed: '~' } as const;

interface RowProps {
  readonly object: OutlinedObject;
  /** Since the Order was opened or saved. */
  readonly status: ObjectStatus;
  readonly onShow: () => void;
}

function OutlineRow({ object, status, onShow }: RowProps) {
  const { kind, name, namespace, source } = object;
  return (
    <li>
      <button type="button" class="outline-row" title={source} data-status={status} onClick={onShow}>
        <span class="soft">{kind}</span> {name || '(no name)'}
        {namespace === '' ? undefined : <span class="soft"> {namespace}</span>}
        {status === undefined ? undefined : (
          <span class="outline-mark">
            <span aria-hidden="true">{statusMarks[status]}</span>
            <span class="sr">{status}</span>
          </span>
        )}
      </button>
    </li>
  );
}

// Each click shows the next object that differs.
function ChangeSummary({ onShow }: { readonly onShow: (line: number) => void }) {
  const { added, changed, removed } = manifestChanges.value;
  const [next, setNext] = useState(0);
  const count = added.size + changed.size + removed.length;
  if (count === 0) return undefined;
  const lines = [...added, ...changed.keys()].map(({ line }) => line).sort((a, b) => a - b);
  const show = (): void => {
    const line = lines[next % lines.length];
    if (line !== undefined) onShow(line);
    setNext((next + 1) % Math.max(lines.length, 1));
  };
  return (
    <button type="button" class="outline-changes" onClick={show}>
      {count === 1 ? '1 object changed' : `${count} objects changed`}
    </button>
  );
}

// The field that decides a line of the text, and where it is edited.
async function goToDecider(line: number, column: number): Promise<void> {
  const { activeElement } = document;
  const decider = deciderOf(await requestWhy(line), column);
  // The user may have moved the focus meanwhile.
  if (decider && activeElement === document.activeElement) showDecider(decider);
}

async function cardOf(line: number, column: number): Promise<HoverCard | undefined> {
  const why = await requestWhy(line);
  const decider = deciderOf(why, column);
  const part = why.parts.find(({ values }) => values.some(({ path }) => path === decider?.path)) ?? why.parts.at(-1);
  if (!part) return undefined;
  const { place, values } = part;
  return {
    title: `${place.file}:${place.line}`,
    code: place.source.trim(),
    rows: (values.length === 0 && decider ? [decider] : values).slice(0, mostValues).map(wordsOfValue),
    hint: decider ? `Click or press Enter to edit ${decider.path}` : 'No value decides this line.',
  };
}

// The panel has the rest.
const mostValues = 5;

function wordsOfValue(value: Pick<Decider, 'path' | 'value'> & { readonly setBy?: readonly Setter[] }): string {
  const [setter] = value.setBy ?? [];
  const where = setter?.where.startsWith('spec.') ? `line ${setter.line} of the Order` : setter?.where;
  return `${value.path} is ${shortJson(value.value)}${where === undefined ? '' : `, set by ${where}`}`;
}

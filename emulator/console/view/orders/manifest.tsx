// The manifest: the outline by package on one side, the text on the other, and the explanation of a line below it: the template line, the
// values it reads, and what sets them.

import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../../render/core/counted.ts';
import { groupBy } from '../../../../render/core/group-by.ts';
import type { ExplainedPart, ExplainedValue, Setter } from '../../../../render/index.ts';
import type { HoverCard } from '../../../../render/language/help.ts';
import { manifestChanges, outline, preview } from '../../order/draft.ts';
import type { OutlinedObject } from '../../order/manifest.ts';
import { type Decider, deciderOf, requestWhy, shortJson, type Why } from '../../order/why.ts';
import { matcherOf } from '../../search.ts';
import { Code } from '../code.tsx';
import { useLoad } from '../load.ts';
import { Button, CopyButton, DownloadButton, ErrorMessage, LinkButton, SearchField } from '../parts.tsx';
import { Splitter } from '../splitter.tsx';
import { fileName } from './actions.ts';
import { showDecider, showField, showOrderLine } from './selection.ts';

export function ManifestTab() {
  const manifest = preview.value?.manifest ?? '';
  const search = useSignal('');
  const [line, setLine] = useState<{ readonly line: number }>();
  const [find, setFind] = useState(0);
  const [questionLine, setQuestionLine] = useState<number>();
  const objects = outline.value;
  const matches = matcherOf(search.value);
  const found = objects.filter(({ kind, namespace, name, source }) =>
    matches(`${kind} ${namespace} ${name} ${source}`),
  );
  const { added, changed, removed } = manifestChanges.value;
  const changedTexts = useMemo(() => [...changed].map(([object, before]) => ({ ...object, before })), [changed]);
  const rowOf = (object: OutlinedObject) => {
    const { line: first, kind, name, namespace, source } = object;
    // Since the Order was opened or saved.
    const status = added.has(object) ? 'added' : changed.has(object) ? 'changed' : undefined;
    return (
      <li key={`${first}`}>
        <button
          type="button"
          class="outline-row"
          title={source}
          data-status={status}
          onClick={() => setLine({ line: first })}
        >
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
  };
  return (
    <div class="manifest">
      <nav class="outline" aria-label="Objects of the manifest">
        <SearchField class="outline-search" label="Search objects" text={search} />
        <div class="outline-list">
          <ChangeSummary onShow={(shown) => setLine({ line: shown })} />
          {[...groupBy(found, (object) => object.package)].map(([index, own]) => (
            <details key={index} open>
              <summary>
                {releaseOf(index)} <span class="count">{own.length}</span>
              </summary>
              <ul>{own.map(rowOf)}</ul>
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
          {found.length === 0 ? (
            <p class="soft pad">{search.value === '' ? 'No objects' : 'No objects found'}</p>
          ) : undefined}
        </div>
      </nav>
      <Splitter name="outline" label="Width of the outline" least={160} most={600} />
      <div class="viewer">
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

const statusMarks = { added: '+', changed: '~' } as const;

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
      {counted(count, 'object')} changed
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

function byLine(parts: readonly ExplainedPart[]): readonly ExplainedPart[] {
  const lines = new Map<string, ExplainedPart>();
  for (const part of parts) {
    const key = [part.place, ...part.through].map(({ file, line }) => `${file}:${line}`).join(' ');
    const known = lines.get(key);
    const values = [...(known?.values ?? []), ...part.values];
    const paths = new Map(values.map((value) => [value.path, value]));
    lines.set(key, { ...(known ?? part), values: [...paths.values()] });
  }
  return [...lines.values()];
}

function WhyPanel({ line, onClose }: { readonly line: number; readonly onClose: () => void }) {
  const rendering = preview.value;
  const load = async (signal: AbortSignal): Promise<Why> => {
    // When arrow keys move over lines, only the last one is queried.
    await new Promise((resolve) => setTimeout(resolve, 150));
    signal.throwIfAborted();
    return requestWhy(line, signal);
  };
  const { value: why, fault } = useLoad('line', rendering && load, rendering, line);
  return (
    <section class="why" aria-label="Explanation of the line">
      <div class="why-head">
        <h3>
          Line {line} <span class="soft">{why?.object ?? ''}</span>
        </h3>
        <Button icon="remove" label="Close" kind="quiet" onPress={onClose} />
      </div>
      <ErrorMessage message={fault} />
      <div class="why-body" aria-live="polite">
        {why ? <WhyParts why={why} /> : <p class="soft">Loading…</p>}
      </div>
    </section>
  );
}

function WhyParts({ why }: { readonly why: Why }) {
  if (why.parts.length === 0) return <p class="soft">No template wrote this line: it separates documents.</p>;
  const conditions = why.parts[0]?.conditions ?? [];
  return (
    <>
      {byLine(why.parts).map((part, index) => (
        <div class="why-part" key={`${index}`}>
          <p class="why-place">
            {part.place.file}:{part.place.line}
            {part.through.map((place) => ` ← ${place.file}:${place.line}`).join('')}
          </p>
          <pre class="why-source">{part.place.source.trim()}</pre>
          <Values values={part.values} index={why.package} />
        </div>
      ))}
      {conditions.map((condition, index) => (
        <div class="why-part" key={`if ${index}`}>
          <p class="why-place">
            Condition at {condition.file}:{condition.line}
          </p>
          <pre class="why-source">{condition.source.trim()}</pre>
          <Values values={condition.values} index={why.package} />
        </div>
      ))}
    </>
  );
}

function Values({ values, index }: { readonly values: readonly ExplainedValue[]; readonly index: number | undefined }) {
  if (values.length === 0) return null;
  return (
    <ul class="why-values">
      {values.map((value) => (
        <li key={value.path}>
          <code>{value.path}</code> <span class="soft">is</span> <code>{shortJson(value.value)}</code>
          {value.path.startsWith('.') || index === undefined ? undefined : (
            <LinkButton onPress={() => showField(index, value.steps.map(String))}>Edit</LinkButton>
          )}
          <ul>
            {value.setBy.map((setter, at) => (
              <SetterRow key={`${at}`} setter={setter} isOverridden={at > 0} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** A place that sets a value. `isOverridden`: another one takes precedence, so its own value is shown. */
export function SetterRow({ setter, isOverridden }: { readonly setter: Setter; readonly isOverridden: boolean }) {
  const { where, line, value } = setter;
  const isOurs = where.startsWith('spec.') && line !== undefined;
  return (
    <li class="soft">
      {isOverridden ? 'overrides ' : 'set by '}
      {isOurs ? (
        <LinkButton onPress={() => showOrderLine(line)}>line {line} of the Order</LinkButton>
      ) : (
        `${where}${line === undefined ? '' : `:${line}`}`
      )}
      {isOverridden ? ` (${shortJson(value)})` : ''}
    </li>
  );
}

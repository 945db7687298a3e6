// Explains a line of the manifest: the template line, the values it reads, and what sets them.

import type { ExplainedPart, ExplainedValue, Setter } from '../../../../render/index.ts';
import { preview } from '../../order/draft.ts';
import { requestWhy, shortJson, type Why } from '../../order/why.ts';
import { useLoad } from '../load.ts';
import { Button, ErrorMessage } from '../parts.tsx';
import { showField, showOrderLine } from './selection.ts';

/** Merges the parts of one template line. */
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

/** The panel below the manifest. */
export function WhyPanel({ line, onClose }: { readonly line: number; readonly onClose: () => void }) {
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
            <button type="button" class="link" onClick={() => showField(index, value.steps.map(String))}>
              Edit
            </button>
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
        <button type="button" class="link" onClick={() => showOrderLine(line)}>
          line {line} of the Order
        </button>
      ) : (
        `${where}${line === undefined ? '' : `:${line}`}`
      )}
      {isOverridden ? ` (${shortJson(value)})` : ''}
    </li>
  );
}

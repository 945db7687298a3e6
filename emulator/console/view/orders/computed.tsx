// The values that the templates of each package receive, and what sets them.

import { useState } from 'preact/hooks';
import { request } from '../../api.ts';
import { preview, previewPath } from '../../order/draft.ts';
import { shortJson, type ValueSetter } from '../../order/why.ts';
import { matcherOf } from '../../search.ts';
import { Empty, ErrorMessage, Loading } from '../parts.tsx';
import { useRendered } from './rendered.ts';
import { showField } from './selection.ts';
import { SetterRow } from './why.tsx';

interface ComputedValue {
  readonly path: string;
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
  readonly isGiven: boolean;
  readonly isChanged: boolean;
  readonly setBy: readonly ValueSetter[];
}

interface PackageValues {
  readonly package: string;
  readonly values: readonly ComputedValue[];
}

const filters = {
  all: { label: 'All values', isShown: () => true },
  given: { label: 'Set by the Order', isShown: ({ isGiven }: ComputedValue) => isGiven },
  changed: { label: 'Different from the default', isShown: ({ isChanged }: ComputedValue) => isChanged },
} as const;

type Filter = keyof typeof filters;

// Maximum number of rows; beyond that use the search.
const mostShown = 300;

/** The tab. */
export function ComputedTab() {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const { form, fault } = useRendered('values', (order) =>
    request<readonly PackageValues[]>('POST', previewPath('/values'), { body: { order } }),
  );
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (form === undefined) return <Loading />;
  const matches = matcherOf(search);
  const { isShown } = filters[filter];
  const found = form.map(({ values }) =>
    values.filter((value) => isShown(value) && matches(`${value.path} ${shortJson(value.value)}`)),
  );
  const count = found.reduce((sum, { length }) => sum + length, 0);
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <input
          type="search"
          class="tools-search"
          aria-label="Search computed values"
          placeholder="Search by name or value"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <select
          aria-label="Values to show"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value as Filter)}
        >
          {Object.entries(filters).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <span class="spring" />
        <span class="soft">{count === 1 ? '1 value' : `${count} values`}</span>
      </div>
      {count === 0 ? (
        <Empty title="No values found">
          <p>Search for another name, or show all values.</p>
        </Empty>
      ) : (
        <div class="scroll">
          {form.map(({ package: name }, at) =>
            found[at]!.length === 0 ? undefined : (
              <section key={name} class="resource-list" aria-label={`Values of ${name}`}>
                <h3>{name}</h3>
                <ul>
                  {found[at]!.slice(0, mostShown).map((value) => (
                    <ComputedRow key={value.path} value={value} index={preview.value?.indexes[at]} />
                  ))}
                </ul>
                {found[at]!.length > mostShown ? (
                  <p class="pad soft">and {found[at]!.length - mostShown} more: search for one</p>
                ) : undefined}
              </section>
            ),
          )}
        </div>
      )}
    </div>
  );
}

function ComputedRow({ value, index }: { readonly value: ComputedValue; readonly index: number | undefined }) {
  const { path, steps, setBy, isGiven } = value;
  return (
    <li class="row-item" data-set={isGiven}>
      <div class="row-head">
        <code>{path}</code> <code class="row-value">{shortJson(value.value)}</code>
        {isGiven ? <span class="tag">set</span> : undefined}
        <span class="spring" />
        {setBy.length === 0 ? <span class="soft">set by a template or a sub-chart</span> : undefined}
        <ul class="row-origins">
          {setBy.map((setter, at) => (
            <SetterRow key={`${at}`} setter={setter} isOverridden={at > 0} />
          ))}
        </ul>
        {index === undefined ? undefined : (
          <button
            type="button"
            class="link"
            aria-label={`Edit ${path}`}
            onClick={() => showField(index, steps.map(String))}
          >
            Edit
          </button>
        )}
      </div>
    </li>
  );
}

// The manifest: an outline by kind on one side, the text with folding and search on the other.

import { useMemo, useState } from 'preact/hooks';
import { outline, preview } from '../../order/draft.ts';
import { groupByKind, type OutlinedObject } from '../../order/outline.ts';
import { Code } from '../code.tsx';
import { Button, copyText, downloadText } from '../parts.tsx';
import { fileName } from './actions.ts';
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
      <div class="viewer">
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
        <Code label="Manifest" text={manifest} line={line} find={find} onLine={setAsked} />
        {asked === undefined ? (
          <p class="hint">Click a line, or go to it with the arrow keys, to see what made it.</p>
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

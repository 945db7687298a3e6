// The resources of each package.

import { useState } from 'preact/hooks';
import { request } from '../../api.ts';
import { previewPath } from '../../order/draft.ts';
import { Button, copyText, ErrorMessage, TextBlock } from '../parts.tsx';
import { useRendered } from './rendered.ts';

interface ResourceFile {
  readonly filename: string;
  readonly key: string;
  readonly data: string;
}

interface ResourceList {
  readonly name: string;
  readonly version: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly crds: readonly ResourceFile[];
  readonly resources: readonly ResourceFile[];
}

/** The tab. */
export function ResourcesTab() {
  const [skipCRDs, setSkip] = useState(false);
  const { form, fault } = useRendered(`resources ${skipCRDs}`, (order) =>
    request<readonly ResourceList[]>('POST', previewPath('/resources', { skipCRDs: String(skipCRDs) }), {
      body: { order },
    }),
  );
  return (
    <div class="scroll">
      <label class="check pad">
        <input type="checkbox" checked={skipCRDs} onChange={(event) => setSkip(event.currentTarget.checked)} />
        <span>Skip CRDs</span>
      </label>
      {fault === undefined ? undefined : <ErrorMessage message={fault} />}
      {form?.map((list) => (
        <PackageResources key={`${list.namespace}/${list.releaseName}`} list={list} />
      ))}
    </div>
  );
}

function PackageResources({ list }: { readonly list: ResourceList }) {
  const files = [...list.crds, ...list.resources];
  return (
    <section class="resource-list" aria-label={`Resources of ${list.releaseName}`}>
      <h3>
        {list.releaseName}{' '}
        <span class="soft">{`${list.name} ${list.version} · ${list.namespace} · ${files.length}`}</span>
      </h3>
      {files.map((file) => (
        <ResourceRow key={file.key} file={file} />
      ))}
    </section>
  );
}

function ResourceRow({ file }: { readonly file: ResourceFile }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="resource" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="resource-name">{file.filename}</span> <span class="soft">{file.key}</span>
      </summary>
      {isOpen ? (
        <div class="resource-text">
          <Button icon="copy" kind="quiet" onPress={() => copyText(file.data, file.filename)}>
            Copy
          </Button>
          <TextBlock text={file.data} />
        </div>
      ) : undefined}
    </details>
  );
}

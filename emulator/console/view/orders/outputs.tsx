// The outputs of the Order other than its manifest, each a tab of the preview.

import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { counted } from '../../../../render/core/counted.ts';
import { groupBy } from '../../../../render/core/group-by.ts';
import type { ObjectImage, PackageValues, Resource, ResourceList } from '../../../../render/index.ts';
import { type DraftIssue, request, requestText } from '../../api.ts';
import { checks, draftFailure, marks, orderView, preview, previewPath } from '../../order/draft.ts';
import { shortJson } from '../../order/why.ts';
import { matcherOf } from '../../search.ts';
import { Code } from '../code.tsx';
import { useRendered } from '../load.ts';
import {
  Button,
  CheckBox,
  CopyButton,
  DownloadButton,
  Empty,
  ErrorMessage,
  Icon,
  LinkButton,
  Loading,
  More,
  SearchField,
  Select,
  TextBlock,
} from '../parts.tsx';
import { fileName } from './actions.ts';
import { SetterRow } from './manifest.tsx';
import { showField, showOrderLine } from './selection.ts';

export function ResourcesTab() {
  const { value, fault } = useRendered('resources', (order) =>
    request<readonly ResourceList[]>('POST', previewPath('/resources'), { body: { order } }),
  );
  return (
    <div class="scroll">
      <ErrorMessage message={fault} />
      {value?.map(({ name, version, releaseName, namespace, crds, resources }) => (
        <section key={`${namespace}/${releaseName}`} class="resource-list" aria-label={`Resources of ${releaseName}`}>
          <h3>
            {releaseName}{' '}
            <span class="soft">{`${name} ${version} · ${namespace} · ${crds.length + resources.length}`}</span>
          </h3>
          {[...crds, ...resources].map((file) => (
            <ResourceRow key={file.key} file={file} />
          ))}
        </section>
      ))}
    </div>
  );
}

function ResourceRow({ file }: { readonly file: Resource }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="resource" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="resource-name">{file.filename}</span> <span class="soft">{file.key}</span>
      </summary>
      {isOpen ? (
        <div class="resource-text">
          <CopyButton text={file.data} what={file.filename} />
          <TextBlock text={file.data} />
        </div>
      ) : undefined}
    </details>
  );
}

export function ImagesTab() {
  const { value: images, fault } = useRendered('images', (order) =>
    request<readonly ObjectImage[]>('POST', previewPath('/images'), { body: { order } }),
  );
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (images === undefined) return <Loading />;
  if (images.length === 0) return <Empty title="No images">No object of this Order runs a container.</Empty>;
  const references = [...new Set(images.map(({ reference }) => reference))];
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <span class="soft">{counted(references.length, 'image')}</span>
        <span class="spring" />
        <CopyButton text={`${references.join('\n')}\n`} what="List of images">
          Copy list
        </CopyButton>
      </div>
      <div class="scroll">
        {[...groupBy(images, (image) => image.package)].map(([name, own]) => (
          <section key={name} class="resource-list" aria-label={`Images of ${name}`}>
            <h3>{name}</h3>
            <ul class="images">
              {own.map(({ reference, tag, digest, uses }) => (
                <li key={reference} class="row-item">
                  <p class="row-head">
                    <code>{reference}</code>
                    {digest === undefined && (tag ?? 'latest') === 'latest' ? (
                      <span class="tag risk">{tag ?? 'no tag'}</span>
                    ) : undefined}
                    {digest === undefined ? undefined : <span class="tag">digest</span>}
                  </p>
                  {uses.map(({ kind, name: object, field }) => (
                    <p key={`${kind} ${object} ${field}`} class="soft">
                      {kind} {object} <span class="image-field">{field}</span>
                    </p>
                  ))}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

// Maximum number of rows; beyond that use the search.
const mostShown = 300;

export function ComputedTab() {
  const search = useSignal('');
  const showsGiven = useSignal(false);
  const { value: packages, fault } = useRendered('values', (order) =>
    request<readonly PackageValues[]>('POST', previewPath('/values'), { body: { order } }),
  );
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (packages === undefined) return <Loading />;
  const matches = matcherOf(search.value);
  const found = packages.map(({ package: name, values }, at) => ({
    name,
    index: preview.value?.indexes[at],
    values: values.filter(
      ({ path, value, isGiven }) => (isGiven || !showsGiven.value) && matches(`${path} ${shortJson(value)}`),
    ),
  }));
  const count = found.reduce((sum, { values }) => sum + values.length, 0);
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <SearchField class="tools-search" label="Search by name or value" text={search} />
        <CheckBox label="Only what the Order sets" on={showsGiven} />
        <span class="spring" />
        <span class="soft">{counted(count, 'value')}</span>
      </div>
      {count === 0 ? (
        <Empty title="No values found">Search for another name, or show all values.</Empty>
      ) : (
        <div class="scroll">
          {found.map(({ name, index, values }) =>
            values.length === 0 ? undefined : (
              <section key={name} class="resource-list" aria-label={`Values of ${name}`}>
                <h3>{name}</h3>
                <ul>
                  {values.slice(0, mostShown).map(({ path, steps, value, setBy, isGiven }) => (
                    <li key={path} class="row-item" data-set={isGiven}>
                      <div class="row-head">
                        <code>{path}</code> <code class="row-value">{shortJson(value)}</code>
                        {isGiven ? <span class="tag">set</span> : undefined}
                        <span class="spring" />
                        {setBy.length === 0 ? <span class="soft">set by a template or a subchart</span> : undefined}
                        <ul class="row-origins">
                          {setBy.map((setter, order) => (
                            <SetterRow key={`${order}`} setter={setter} isOverridden={order > 0} />
                          ))}
                        </ul>
                        {index === undefined ? undefined : (
                          <LinkButton label={`Edit ${path}`} onPress={() => showField(index, steps.map(String))}>
                            Edit
                          </LinkButton>
                        )}
                      </div>
                    </li>
                  ))}
                </ul>
                <More count={values.length - mostShown} words=": search for one" />
              </section>
            ),
          )}
        </div>
      )}
    </div>
  );
}

const tools = [
  ['pkgmgr3', 'Helm'],
  ['yaml', 'kubectl'],
] as const;
const systems = [
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
  ['windows', 'Windows'],
] as const;

export function ScriptsTab() {
  const [tool, setTool] = useState<(typeof tools)[number][0]>('pkgmgr3');
  const [os, setOs] = useState<(typeof systems)[number][0]>('linux');
  const { value: text, fault } = useRendered(`${tool} ${os}`, (order) =>
    requestText('POST', previewPath(`/scripts/${tool}`, { os }), { body: { order } }),
  );
  const end = `-${tool === 'yaml' ? 'kubectl' : 'helm'}.${os === 'windows' ? 'ps1' : 'sh'}`;
  const language = os === 'windows' ? 'powershell' : 'shell';
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <Select aria-label="Tool" value={tool} options={tools} onChoose={setTool} />
        <Select aria-label="Operating system" value={os} options={systems} onChoose={setOs} />
        <span class="spring" />
        <CopyButton text={text ?? ''} what="Script" disabled={text === undefined} />
        <DownloadButton text={text ?? ''} name={fileName(end)} disabled={text === undefined} />
      </div>
      <ErrorMessage message={fault} />
      <Code key={language} label="Install script" language={language} text={text ?? ''} />
    </div>
  );
}

export function NotesTab() {
  const notes = preview.value?.notes ?? '';
  if (notes.trim() === '') {
    return <Empty title="No notes">The charts have no NOTES.txt, or it renders to nothing.</Empty>;
  }
  return <TextBlock text={withLinks(notes)} />;
}

// Converts URLs in a text to links. A final bracket or dot is not part of a URL.
function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"'`]+)/).map((part, at) => {
    if (at % 2 === 0) return part;
    const address = part.replace(/[).,;:]{1,9}$/, '');
    return [
      <a key={at} href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>,
      part.slice(address.length),
    ];
  });
}

const severities = [
  { name: 'error', label: 'Errors', icon: 'alert' },
  { name: 'warning', label: 'Warnings', icon: 'alert' },
  { name: 'note', label: 'Notes', icon: 'note' },
] as const;

export function ChecksTab() {
  const issues = draftFailure.value ? marks.value : checks.value;
  if (!issues) return <Loading />;
  if (issues.length === 0) {
    return (
      <Empty title="No problems found">Values, waits, API versions, namespaces and random values are checked.</Empty>
    );
  }
  return (
    <div class="scroll">
      {severities.map(({ name, label, icon }) => {
        const found = issues.filter(({ severity }) => severity === name);
        if (found.length === 0) return undefined;
        return (
          <section key={name} class="issues" data-severity={name}>
            <h3>
              <Icon name={icon} /> {label} <span class="count">{found.length}</span>
            </h3>
            {byPackage(found).map(([release, own]) => (
              <div key={release} class="issue-group">
                <h4>{release}</h4>
                <ul>
                  {own.map(({ path, message, hint, line }, index) => (
                    <li key={`${index}`} class="issue">
                      <div>
                        <p class="issue-path">{path}</p>
                        <p>{message}</p>
                        {hint === undefined ? undefined : <p class="soft">{hint}</p>}
                      </div>
                      {line === undefined ? undefined : (
                        <Button onPress={() => showOrderLine(line)}>Line {line}</Button>
                      )}
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </section>
        );
      })}
    </div>
  );
}

// Issues without a package come first.
function byPackage(
  issues: readonly DraftIssue[],
): readonly (readonly [release: string, issues: readonly DraftIssue[]])[] {
  const indexOf = ({ path }: DraftIssue): number => Number(/^spec\.(?:packages|items)\[(\d+)\]/.exec(path)?.[1] ?? -1);
  const { packages } = orderView.value;
  const nameOf = (index: number): string => {
    const { release, chart } = packages[index] ?? {};
    return index < 0 ? 'Order' : release || chart || `Package ${index + 1}`;
  };
  return [...groupBy(issues, indexOf)].sort(([a], [b]) => a - b).map(([index, own]) => [nameOf(index), own]);
}

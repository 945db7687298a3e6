// The container images that the packages use.

import { request } from '../../api.ts';
import { previewPath } from '../../order/draft.ts';
import { Button, copyText, Empty, ErrorMessage, Loading } from '../parts.tsx';
import { useRendered } from './rendered.ts';

interface DraftImage {
  readonly package: string;
  readonly reference: string;
  readonly tag?: string;
  readonly digest?: string;
  readonly uses: readonly { readonly kind: string; readonly name: string; readonly field: string }[];
}

/** The tab. */
export function ImagesTab() {
  const { form, fault } = useRendered('images', (order) =>
    request<readonly DraftImage[]>('POST', previewPath('/images'), { body: { order } }),
  );
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (form === undefined) return <Loading />;
  if (form.length === 0) {
    return (
      <Empty title="No images">
        <p>No object of this Order runs a container.</p>
      </Empty>
    );
  }
  const references = [...new Set(form.map(({ reference }) => reference))];
  const packages = [...new Set(form.map(({ package: name }) => name))];
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <span class="soft">{references.length === 1 ? '1 image' : `${references.length} images`}</span>
        <span class="spring" />
        <Button icon="copy" kind="quiet" onPress={() => copyText(`${references.join('\n')}\n`, 'List of images')}>
          Copy list
        </Button>
      </div>
      <div class="scroll">
        {packages.map((name) => (
          <section key={name} class="resource-list" aria-label={`Images of ${name}`}>
            <h3>{name}</h3>
            <ul class="images">
              {form
                .filter((image) => image.package === name)
                .map((image) => (
                  <ImageRow key={image.reference} image={image} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function ImageRow({ image: { reference, tag, digest, uses } }: { readonly image: DraftImage }) {
  const isMoving = digest === undefined && (tag === undefined || tag === 'latest');
  return (
    <li class="row-item">
      <p class="row-head">
        <code>{reference}</code>
        {isMoving ? <span class="tag risk">{tag === undefined ? 'no tag' : 'latest'}</span> : undefined}
        {digest === undefined ? undefined : <span class="tag">digest</span>}
      </p>
      {uses.map(({ kind, name, field }) => (
        <p key={`${kind} ${name} ${field}`} class="soft">
          {kind} {name} <span class="image-field">{field}</span>
        </p>
      ))}
    </li>
  );
}

// An Order, rendered for its snapshot.

import { dirname, relative, resolve, sep } from 'node:path';
import { otherChance } from '../../../render/chance.ts';
import { inputsOf, knownInputs } from '../../../render/impact/inputs.ts';
import type { SourcedDocument } from '../../../render/manifest/source.ts';
import { type RenderedOrder, renderOrder } from '../../../render/rendered-order.ts';
import { type OrderOutput, orderFiles } from '../../../render/snapshot/order-files.ts';
import { settleFiles } from '../../../render/snapshot/settle.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { seededHostOf } from '../rendering/chart-flags.node.ts';
import type { OrderInput } from '../rendering/order-input.node.ts';
import { majorOf } from '../rendering/read.node.ts';
import { planTraced } from '../rendering/traced-input.node.ts';
import { bareContent, type Rendering, type TracedRelease } from './rendering.ts';

/** Renders an Order. Throws RenderError. */
export async function renderOrderInput(
  order: OrderInput,
  input: string,
  { flags, io }: { readonly flags: ParsedFlags; readonly io: CommandIo },
): Promise<Rendering> {
  const start = performance.now();
  const folder = dirname(resolve(io.cwd, input));
  const options = {
    ...order.options,
    helm: majorOf(flags),
    // A snapshot is compared on other machines, where the same charts lie elsewhere.
    chartPath: (item: Parameters<OrderInput['pathOf']>[0]) => {
      const path = order.pathOf(item);
      return path && relative(folder, path).split(sep).join('/');
    },
  };
  const outputs = flags.list('output') as readonly OrderOutput[];
  const filesOf = (rendered: RenderedOrder) => orderFiles(rendered, outputs.length === 0 ? {} : { outputs });
  const rendered = await renderOrder(order.text.value, { ...options, host: seededHostOf(flags) });
  const plain = filesOf(rendered);
  const hasDrawn = rendered.packages.some(({ chance }) => chance.again !== undefined);
  const other = { ...options, host: otherChance(seededHostOf(flags)), onWarning: () => {} };
  const settled = settleFiles(plain, {
    twin: hasDrawn ? filesOf(await renderOrder(order.text.value, other)) : undefined,
    secretKey: io.env.DRYDOCK_SECRET_KEY || undefined,
    showSecrets: flags.on('show-secrets'),
  });
  const milliseconds = Math.round((performance.now() - start) * 10) / 10;
  let releases: readonly TracedRelease[] | undefined;
  return {
    plain,
    settled,
    cases: [{ name: 'order', valuesFiles: [], status: 'same', message: '', milliseconds }],
    missing: [],
    namespace: '',
    folder: '',
    inputs: () => inputsByRelease(rendered),
    traced: async (files, document) => {
      releases ??= await tracedReleases(order, flags);
      return releaseOf(releases, files, document);
    },
  };
}

function inputsByRelease({ packages, kubeVersion, helm }: Pick<RenderedOrder, 'packages' | 'kubeVersion' | 'helm'>) {
  const all = packages.map(({ release }) => {
    return [`${release.namespace}/${release.name}`, inputsOf(release, { kubeVersion, helm })] as const;
  });
  return Object.fromEntries(all);
}

async function tracedReleases({ text, options }: OrderInput, flags: ParsedFlags): Promise<readonly TracedRelease[]> {
  const given = { ...options, host: seededHostOf(flags), helm: majorOf(flags), onWarning: () => {} };
  const { plan, objects } = await planTraced({ text, options: given });
  return plan.packages.map(({ release }, i): TracedRelease => {
    const { name, namespace, crds, manifests, hooks, helm } = release;
    const known = knownInputs(inputsOf(release, { kubeVersion: plan.kubeVersion, helm: helm.major }));
    const documents = [...crds, ...manifests, ...hooks].map(({ path, content }) => ({ path, content }));
    return { key: `${namespace}/${name}`, name, namespace, documents, side: { known, objects: objects[i] } };
  });
}

// By the document, or by the folder of a resource: `resources/NAMESPACE/RELEASE/`.
function releaseOf(
  releases: readonly TracedRelease[],
  files: readonly string[],
  document: SourcedDocument | undefined,
): TracedRelease | undefined {
  const content = document && bareContent(document.content);
  const found = releases.find(({ documents }) => documents.some((one) => one.content.trim() === content));
  if (found !== undefined) return found;
  const folders = files.flatMap((file) => /^resources\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? []);
  return releases.find(({ key }) => folders.includes(key)) ?? (releases.length === 1 ? releases[0] : undefined);
}

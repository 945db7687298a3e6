// `drydock images`: every image that a chart can use, or that an Order uses.

import { listChartImages, listImages } from '../../api/cases.ts';
import type { ImageReference, ImageUse } from '../../cases/images.ts';
import type { CaseSettings } from '../../cases/search.ts';
import { renderPackages } from '../../engine/packages.ts';
import { readCaseOptions } from '../../inputs/cases.node.ts';
import { isChartInput, locateChart } from '../../inputs/files.node.ts';
import { type OrderInput, readOrderFile } from '../../inputs/orders.node.ts';
import { validateOrder } from '../../order/validate.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { maxSecondsOf } from './generate-cases.node.ts';

interface Listed extends ImageReference {
  /** The package of an Order that uses it. */
  readonly package?: string;
  /** The settings that use it, for a chart. */
  readonly when?: CaseSettings;
  readonly uses: readonly ImageUse[];
}

/** Lists images. Returns 1 where the input is invalid. Throws UsageError, RenderError. */
export async function imagesCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, ...others] = flags.args;
  if (input === undefined || others.length > 0) throw new UsageError('"drydock images" takes an Order or a chart');
  const format = flags.on('json') ? 'json' : (flags.text('format') ?? 'text');
  let order: OrderInput | undefined;
  let images: readonly Listed[];
  try {
    if (!isChartInput(input, io.cwd)) order = await readOrderFile(input, renderSettings(flags), io);
    images = order === undefined ? await chartImages(input, flags, io) : await orderImages(order);
  } catch (error) {
    return printFailure(error, order?.text, io, input);
  }
  if (format === 'cyclonedx') io.stdout(`${JSON.stringify(billOf(images), undefined, 2)}\n`);
  else io.stdout(format === 'json' ? `${JSON.stringify(images, undefined, 2)}\n` : images.map(textOf).join(''));
  return 0;
}

async function chartImages(input: string, flags: ParsedFlags, io: CommandContext): Promise<readonly Listed[]> {
  const maxSeconds = maxSecondsOf(flags);
  const path = locateChart(input, io.cwd);
  const settings = renderSettings(flags);
  const { chart, options } = await readCaseOptions(path, settings, io);
  return listChartImages(chart, { ...options, maxSeconds });
}

async function orderImages({ text, options }: OrderInput): Promise<Listed[]> {
  return listImages(await renderPackages(validateOrder(text.value).order, options));
}

function textOf({ reference, package: name, when, uses }: Listed): string {
  const [first, ...more] = uses;
  const used =
    first === undefined
      ? ''
      : `${first.kind}/${first.name} ${first.field}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  const lines = [
    reference,
    `  in ${name === undefined ? '' : `package ${name}, `}${used}`,
    ...(when === undefined ? [] : whenLines(when)),
  ];
  return `${lines.join('\n')}\n`;
}

function whenLines({ values, kubeVersion, apiVersions = [], isUpgrade }: CaseSettings): string[] {
  const parts = [
    ...(Object.keys(values).length > 0 ? [JSON.stringify(values)] : []),
    ...(kubeVersion === undefined ? [] : [`--kube-version ${kubeVersion}`]),
    ...apiVersions.map((name) => `--api-versions ${name}`),
    ...(isUpgrade === true ? ['--is-upgrade'] : []),
  ];
  return parts.length === 0 ? [] : [`  with ${parts.join(' ')}`];
}

// https://cyclonedx.org/docs/1.6/json/
function billOf(images: readonly Listed[]): object {
  const components = new Map<string, object>();
  for (const { reference, repository, tag, digest, when } of images) {
    if (components.has(reference)) continue;
    const condition = when === undefined ? [] : whenLines(when).map((line) => line.trim());
    components.set(reference, {
      type: 'container',
      'bom-ref': reference,
      name: repository,
      version: digest ?? tag ?? 'latest',
      purl: purlOf({ repository, tag, digest }),
      ...(digest?.startsWith('sha256:') && { hashes: [{ alg: 'SHA-256', content: digest.slice('sha256:'.length) }] }),
      ...(condition.length > 0 && { properties: [{ name: 'drydock:when', value: condition.join(' ') }] }),
    });
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [...components.values()] };
}

// https://github.com/package-url/purl-spec, type `oci`: the version is the digest.
function purlOf({ repository, tag, digest }: Pick<ImageReference, 'repository' | 'tag' | 'digest'>): string {
  const name = repository.slice(repository.lastIndexOf('/') + 1).toLowerCase();
  const version = digest === undefined ? '' : `@${encodeURIComponent(digest)}`;
  const more = [
    `repository_url=${encodeURIComponent(repository)}`,
    ...(tag === undefined ? [] : [`tag=${encodeURIComponent(tag)}`]),
  ];
  return `pkg:oci/${encodeURIComponent(name)}${version}?${more.join('&')}`;
}

// `drydock images`: every image that a chart can use, or that an Order uses.

import type { ImageReference } from '../../cases/images.ts';
import type { CaseSettings } from '../../cases/search.ts';
import { type InputImage, listInputImages } from '../../inputs/images.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { formatOf, renderSettings, surroundings } from '../settings.ts';
import { maxSecondsOf } from './generate-cases.node.ts';
import { withInput } from './input.node.ts';

/** Lists images. Returns 1 where the input is invalid. Throws UsageError, RenderError. */
export async function imagesCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [input, ...others] = flags.args;
  if (input === undefined || others.length > 0) throw new UsageError('"drydock images" takes an Order or a chart');
  const format = formatOf<'cyclonedx'>(flags);
  return withInput(input, { flags, io }, async (source) => {
    const images = await listInputImages(source, {
      ...surroundings(io),
      settings: renderSettings(flags),
      maxSeconds: typeof source === 'string' ? maxSecondsOf(flags) : undefined,
    });
    if (format === 'cyclonedx') io.stdout(`${JSON.stringify(billOf(images), undefined, 2)}\n`);
    else io.stdout(format === 'json' ? `${JSON.stringify(images, undefined, 2)}\n` : images.map(textOf).join(''));
    return 0;
  });
}

function textOf({ reference, package: name, when, uses }: InputImage): string {
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
function billOf(images: readonly InputImage[]): object {
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

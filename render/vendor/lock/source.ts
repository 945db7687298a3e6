// Where a chart comes from, as one text: the same for every way in which an Order may write one source.

import { type ChartRef, mirrorPath } from '../../chart/registry.ts';
import { isOciUrl, isUrl } from '../../order/names.ts';

/** The place that a chart comes from, by the way in which it is fetched. */
export type SourceOrigin =
  /** A repository with an index.yaml. */
  | { readonly kind: 'index'; readonly url: string }
  /** A chart in an OCI registry; `url` names the chart itself, such as `oci://registry.example.com/charts/web`. */
  | { readonly kind: 'oci'; readonly url: string }
  /** A repository by its name in Helm's repositories.yaml. */
  | { readonly kind: 'named'; readonly repository: string }
  /** A path on this machine. */
  | { readonly kind: 'path'; readonly path: string }
  /** A chart that ships with drydock, or lies in a folder of charts. */
  | { readonly kind: 'embed' };

/** Returns the place that a reference names. */
export function sourceOrigin({ name, sourceRef }: ChartRef): SourceOrigin {
  const source = sourceRef.name;
  if (sourceRef.kind === 'Embed') return { kind: 'embed' };
  if (isOciUrl(source)) return { kind: 'oci', url: ociAddress(source, name, sourceRef.kind === 'OCIRepository') };
  if (isUrl(source)) return { kind: 'index', url: source };
  if (sourceRef.kind === 'Local' || sourceRef.kind === 'Legacy') return { kind: 'path', path: source };
  return { kind: 'named', repository: source };
}

/**
 * Returns the address of a chart in a registry. A HelmRepository names the place where charts lie, an OCIRepository may name
 * the chart itself.
 */
export function ociAddress(source: string, name: string, mayBeChart: boolean): string {
  const address = source.replace(/(?<!\/)\/+$/, '');
  return mayBeChart && address.endsWith(`/${name}`) ? address : `${address}/${name}`;
}

/**
 * Returns the text by which a lock knows a source: no user, no query, no slash at the end, the host in small letters. Names
 * and paths stay as they are, without `./`.
 */
export function sourceKey(source: string): string {
  const url = /^([a-z][-+.a-z0-9]*):\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/i.exec(source);
  if (url === null) return source.replace(/^(?:\.\/+)+(?=.)/, '').replace(/(?<=^\/|[^/])\/+$/, '');
  const [, scheme = '', host = '', path = ''] = url;
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${path.replace(/(?<!\/)\/+$/, '')}`;
}

/** Returns a URL as it may be shown and written down: without user, password, query and fragment. */
export function publicUrl(url: string): string {
  return url.replace(/^([a-z][-+.a-z0-9]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}

/** Returns where an archive lies below the folder of charts: `host/path/name-version.tgz`. */
export function archivePath(
  url: string,
  { name, version }: { readonly name: string; readonly version: string },
): string {
  const steps = (mirrorPath(publicUrl(url)) ?? url)
    .split('/')
    .filter((step) => step !== '' && step !== '.' && step !== '..')
    .map((step) => step.replace(/[^\w.+-]/g, '_'));
  const safeVersion = version.replace(/[^\w.+-]/g, '_');
  return [...steps, `${name}-${safeVersion}.tgz`].join('/');
}

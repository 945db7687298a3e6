// A bundle: an Order, its lock file and its charts in one archive, which can be rendered anywhere without other files.

import type { Registry } from '../../chart/registry.ts';
import { readTar } from '../../chart/tar.ts';
import { checkArguments, kind } from '../../core/arguments.ts';
import { RenderError } from '../../core/errors.ts';
import { gunzip, isGzip, limitReached } from '../../go/compress/gzip.ts';
import { isBytes } from '../../go/realm.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { type Lock, lockName, parseLock } from './lock.ts';
import { archiveDigest, lockedRegistry } from './locked.ts';

/** The name of the Order in a bundle. */
export const orderName = 'order.yaml';
const maxBundleSize = 1024 * 1024 * 1024;

/** An opened bundle. */
export interface Bundle {
  /** The text of the Order, for `readOrder`. */
  readonly order: string;
  /** The charts of the bundle; every digest is checked. */
  readonly registry: Registry;
  /** The schemas that charts of the bundle refer to by URL; every digest is checked. */
  readonly schemas: (url: string) => string | undefined;
  readonly lock: Lock;
}

/** Reports whether bytes may be a bundle rather than the text of an Order. */
export function isBundle(data: Uint8Array): boolean {
  return isGzip(data);
}

const bytes = kind(
  'a Uint8Array',
  (value) => isBytes(value),
  'Give the bytes of a bundle, as `drydock bundle` writes it.',
);

/**
 * Opens a bundle written by `drydock bundle`. Throws CHART_INVALID if it is not a bundle, ARGUMENT_INVALID.
 * @example
 * const { order, registry, schemas } = openBundle(new Uint8Array(await (await fetch('/shop.tgz')).arrayBuffer()));
 * const rendered = await renderOrder(readOrder(order, 'shop.tgz').value, { registry, schemas });
 */
export function openBundle(data: Uint8Array): Bundle {
  checkArguments('openBundle', ['data', data, bytes]);
  const files = readFiles(data);
  const order = files.get(orderName);
  const text = files.get(lockName);
  if (order === undefined || text === undefined) {
    throw notBundle(`it has no ${order === undefined ? orderName : lockName}`);
  }
  const lock = parseLock(decodeUtf8(text));
  const registry = lockedRegistry(lock, (archive) => files.get(`${lock.folder}/${archive}`));
  const schemas = (url: string): string | undefined => {
    const locked = lock.schemas?.find((schema) => schema.url === url);
    if (locked === undefined) return undefined;
    const data = files.get(`${lock.folder}/${locked.file}`);
    if (data === undefined || archiveDigest(data) !== locked.digest)
      throw notBundle(`the schema ${url} is not the one that its ${lockName} pins`);
    return decodeUtf8(data);
  };
  return { order: decodeUtf8(order), lock, registry, schemas };
}

function readFiles(data: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  try {
    const { bytes: unpacked, end } = gunzip(data, maxBundleSize);
    if (end === limitReached) throw notBundle('it is larger than any bundle');
    for (const entry of readTar({ bytes: unpacked, end })) if (entry.type === '0') files.set(entry.name, entry.data());
  } catch (error) {
    if (error instanceof GoError) throw notBundle(error.message);
    throw error;
  }
  return files;
}

function notBundle(why: string): RenderError {
  return new RenderError('CHART_INVALID', `the bundle cannot be opened: ${why}`, {
    hint: 'Give an archive that `drydock bundle` wrote, or the text of an Order.',
  });
}

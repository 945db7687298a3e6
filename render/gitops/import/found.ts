// The result of an import: releases, and notes on what an Order cannot represent.

import type { ChartInput } from '../../order/document.ts';
import type { JsonObject } from '../../order/order.ts';
import { unread } from './members.ts';

/** A part of a file that an Order does not represent. */
export interface ImportNote {
  readonly file: string;
  /** The JSON path in its document, such as `spec.postRenderers[0]`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** `note`: the installed result may differ. `info`: it only configures the installing tool, such as an interval. */
  readonly severity: 'note' | 'info';
}

/** A release that was found. */
export interface FoundRelease {
  /** Its definition, such as `HelmRelease shop/web`. */
  readonly origin: string;
  readonly file: string;
  readonly chart: ChartInput;
  readonly notes: readonly ImportNote[];
  /** Why it cannot be imported, or undefined. */
  readonly skipped?: string | undefined;
}

/** Collects the notes on one document. */
export class Notes {
  readonly list: ImportNote[] = [];
  readonly #file: string;

  constructor(file: string, given: readonly ImportNote[] = []) {
    this.#file = file;
    this.list.push(...given);
  }

  /** Adds a note: the installed result may differ. */
  add(path: string, message: string): void {
    this.list.push({ file: this.#file, path, message, severity: 'note' });
  }

  /** Adds a note about a setting that only configures the tool. */
  info(path: string): void {
    const message = 'steers the tool that installs, and is not part of an Order';
    this.list.push({ file: this.#file, path, message, severity: 'info' });
  }

  /** Adds a note for each unread member; those in `steering` only configure the tool. */
  unread(object: JsonObject, path: string, read: readonly string[], steering: readonly string[] = []): void {
    for (const name of unread(object, read)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (steering.includes(name)) this.info(at);
      else this.add(at, 'is not part of an Order');
    }
  }
}

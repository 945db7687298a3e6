// The content of a demo beside what ships with drydock: written into its folder, read by its page.

import type { UploadedChart } from '../rendering/renderer.ts';

/** Charts, Orders and the state of the emulator, as data. */
export interface DemoInput {
  /** Chart archives, or bundles of `drydock bundle`; `data` is base64. */
  readonly files?: readonly {
    readonly path: string;
    readonly data: string;
    /** How an Order refers to the chart. Default: the archive's name and version. */
    readonly sourceRef?: UploadedChart['sourceRef'];
  }[];
  /** The first is shown at the start; all are stored for the first user. */
  readonly orders?: readonly { readonly text: string; readonly value: unknown }[];
  /** Options of the emulator: its fixtures, scenarios and settings. */
  readonly options?: Readonly<Record<string, unknown>>;
}

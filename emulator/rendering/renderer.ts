// What the order routes ask of the engine, as plain data: a job goes to the renderer, here or in another thread. Orders go as
// the bytes or the text that they are and come back as bytes: JSON of many megabytes is read and written where it keeps nobody waiting.

import type { HelmVersion } from '../../render/core/helm-version.ts';
import type { Chart, ChartRef } from '../../render/index.ts';

/** Names a system that install scripts are made for. */
export type ScriptSystem = 'linux' | 'darwin' | 'windows';

/** An Order to be rendered, as it was stored; the same text and seed give the same bytes. */
export interface OrderSource {
  /** As JSON. */
  readonly order: string;
  /** Of the world that shows in what is rendered. */
  readonly seed: string;
  /** The Helm version whose output is reproduced. */
  readonly helm?: HelmVersion;
}

/** An Order as somebody writes it: nothing is stored of it. */
export interface DraftText {
  /** As YAML or JSON. */
  readonly draft: string;
  /** Of the world that shows in what is rendered. */
  readonly seed: string;
  /** The time of that world, in milliseconds since 1970. */
  readonly now: number;
  /** The Helm version whose output is reproduced. */
  readonly helm: HelmVersion;
}

/** The properties of a script beside its text. */
export interface ScriptPlace {
  readonly os: ScriptSystem;
  /** Serves the script alone. */
  readonly url: string;
  /** A line that runs it. */
  readonly command: string;
}

/** What is asked about a draft as it is. */
export type DraftTask =
  /** Its manifest, what the charts say, what is odd. */
  | 'preview'
  /** Every check, those that render it once more included. */
  | 'preview-checks'
  | 'preview-images'
  /** The values that its templates see, with what sets them. */
  | 'preview-values';

/** A thing to be done with an Order. */
export type RenderJob =
  /** Reads the body of a request. */
  | { readonly task: 'check'; readonly body: Uint8Array }
  | ({ readonly task: 'manifest' } & OrderSource)
  | ({ readonly task: 'resources'; readonly skipCRDs: boolean; readonly format: 'yaml' | 'json' } & OrderSource)
  /** One script alone. */
  | ({ readonly task: 'script'; readonly tool: ScriptTool; readonly os: ScriptSystem } & OrderSource)
  /** The list of scripts. */
  | ({ readonly task: 'scripts'; readonly tool: ScriptTool; readonly places: readonly ScriptPlace[] } & OrderSource)
  | ({ readonly task: DraftTask } & DraftText)
  | ({ readonly task: 'preview-resources'; readonly skipCRDs: boolean; readonly format: 'yaml' | 'json' } & DraftText)
  /** What a draft with another version of the chart of a package, from 0, does to the package's values. */
  | ({ readonly task: 'preview-upgrade'; readonly upgraded: string; readonly index: number } & DraftText)
  | ({ readonly task: 'preview-script'; readonly tool: ScriptTool; readonly os: ScriptSystem } & DraftText)
  /** Why a line of its manifest is what it is; lines are counted from 1. */
  | ({ readonly task: 'preview-line'; readonly line: number } & DraftText)
  /** What changes in meaning to it from another draft. */
  | ({
      readonly task: 'preview-diff';
      readonly base: { readonly draft: string; readonly helm: HelmVersion };
      /** Whether version labels and checksums are compared, too. */
      readonly all: boolean;
    } & DraftText)
  /** Lists the charts at hand. */
  | { readonly task: 'charts' }
  /** Shows one of them: its values, their schema, its words. */
  | { readonly task: 'chart'; readonly ref: ChartRef; readonly templates: boolean }
  /** Which branches of a chart run, and which values reach the others. */
  | { readonly task: 'chart-coverage'; readonly ref: ChartRef }
  /** A schema for its values, and their table. */
  | { readonly task: 'chart-schema'; readonly ref: ChartRef }
  /** Unpacks uploaded files from the body of a request: JSON with each file in base64. */
  | { readonly task: 'unpack'; readonly body: Uint8Array };

/** Names what an install script calls. */
export type ScriptTool = 'helm' | 'kubectl';

/** An Order that passes its checks. */
export interface CheckedOrder {
  /** The Order as JSON: up to the end of its metadata, and from there on. Between them goes what the store gives it. */
  readonly parts: readonly [string, string];
  /** What is odd about it: the first of a long list. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** A body that is not an Order to be checked: no JSON object, or one without packages. */
export interface RefusedBody {
  readonly refused: 'body' | 'packages';
  readonly message: string;
}

/** A chart that was handed over, and what an Order says to have it. */
export interface UploadedChart {
  readonly chart: Chart;
  readonly sourceRef: ChartRef['sourceRef'];
  /** The schemas that it refers to, by URL. Default none. */
  readonly schemas?: Readonly<Record<string, string>> | undefined;
  /** Whether it can be taken away again: it was dropped on the page. */
  readonly isDropped?: boolean | undefined;
}

/** Files that somebody handed over, as what they are. */
export interface UnpackedFiles {
  readonly charts: readonly UploadedChart[];
  readonly orders: readonly NamedText[];
  readonly values: readonly NamedText[];
  /** What is none of these, or broken. */
  readonly refused: readonly { readonly name: string; readonly message: string; readonly hint?: string }[];
}

/** The text of a file with its name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The answers to jobs, by task: what is rendered is the body of an answer. */
export interface RenderAnswers {
  readonly check: CheckedOrder | RefusedBody;
  readonly manifest: Uint8Array;
  readonly resources: Uint8Array;
  readonly script: Uint8Array;
  readonly scripts: Uint8Array;
  readonly preview: Uint8Array;
  readonly 'preview-resources': Uint8Array;
  readonly 'preview-images': Uint8Array;
  readonly 'preview-values': Uint8Array;
  readonly 'preview-upgrade': Uint8Array;
  readonly 'preview-script': Uint8Array;
  readonly 'preview-checks': Uint8Array;
  readonly 'preview-line': Uint8Array;
  readonly 'preview-diff': Uint8Array;
  readonly charts: Uint8Array;
  readonly chart: Uint8Array;
  readonly 'chart-coverage': Uint8Array;
  readonly 'chart-schema': Uint8Array;
  readonly unpack: UnpackedFiles;
}

/** Does a job. Rejects with a `RenderError`, or with `RenderersBusy`. */
export type Renderer = <Job extends RenderJob>(job: Job) => Promise<RenderAnswers[Job['task']]>;

/** What is thrown when so many jobs wait already that one had to go. */
export class RenderersBusy extends Error {
  override readonly name = 'RenderersBusy';
}

// The interface between the order routes and the engine, as plain data: a job is passed to the renderer, in this or another thread. Orders
// are passed as bytes or text and answers as bytes, so that megabytes of JSON are parsed and serialized where that blocks nobody.

import type { HelmVersion } from '../../render/core/helm-version.ts';
import type { Chart, ChartRef } from '../../render/index.ts';

/** An operating system for install scripts. */
export type ScriptSystem = 'linux' | 'darwin' | 'windows';

/** A stored Order to render; the same text and seed produce the same bytes. */
export interface OrderSource {
  /** As JSON. */
  readonly order: string;
  /** The parts of the world that affect the rendering. */
  readonly seed: string;
  /** The Helm version to reproduce. */
  readonly helm?: HelmVersion;
}

/** An Order being edited; it is not stored. */
export interface DraftText {
  /** As YAML or JSON. */
  readonly draft: string;
  /** The parts of the world that affect the rendering. */
  readonly seed: string;
  /** The world's time, in milliseconds since 1970. */
  readonly now: number;
  /** The Helm version to reproduce. */
  readonly helm: HelmVersion;
}

/** The properties of a script in addition to its text. */
export interface ScriptPlace {
  readonly os: ScriptSystem;
  /** Serves only the script. */
  readonly url: string;
  /** A command line that runs it. */
  readonly command: string;
}

/** A query about a draft. */
export type DraftTask =
  /** Its manifest, notes and issues. */
  | 'preview'
  /** All checks, including those that render again. */
  | 'preview-checks'
  | 'preview-images'
  /** The values that its templates receive, with what sets them. */
  | 'preview-values';

/** A job about an Order, with the uploaded charts that it can use. */
export type RenderJob = RenderTask & { readonly uploads?: readonly UploadedChart[] | undefined };

/** What to do in a job. */
export type RenderTask =
  /** Reads the body of a request. */
  | { readonly task: 'check'; readonly body: Uint8Array }
  | ({ readonly task: 'manifest' } & OrderSource)
  | ({ readonly task: 'resources'; readonly skipCRDs: boolean; readonly format: 'yaml' | 'json' } & OrderSource)
  /** A single script. */
  | ({ readonly task: 'script'; readonly tool: OrderScript; readonly os: ScriptSystem } & OrderSource)
  /** The list of scripts. */
  | ({ readonly task: 'scripts'; readonly tool: OrderScript; readonly places: readonly ScriptPlace[] } & OrderSource)
  | ({ readonly task: DraftTask } & DraftText)
  | ({ readonly task: 'preview-resources'; readonly skipCRDs: boolean; readonly format: 'yaml' | 'json' } & DraftText)
  /** The effects of another version of the chart of a package (index from 0) on the package's values. */
  | ({ readonly task: 'preview-upgrade'; readonly upgraded: string; readonly index: number } & DraftText)
  | ({ readonly task: 'preview-script'; readonly tool: OrderScript; readonly os: ScriptSystem } & DraftText)
  /** The explanation of a line of its manifest, from 1. */
  | ({ readonly task: 'preview-line'; readonly line: number } & DraftText)
  /** The semantic changes from another draft. */
  | ({
      readonly task: 'preview-diff';
      readonly base: { readonly draft: string; readonly helm: HelmVersion };
      /** Whether version labels and checksums are compared too. */
      readonly all: boolean;
    } & DraftText)
  /** Lists the available charts. */
  | { readonly task: 'charts' }
  /** Returns one of them: its values, schema and texts. */
  | { readonly task: 'chart'; readonly ref: ChartRef; readonly templates: boolean }
  /** The branch coverage of a chart, and values that reach more. */
  | { readonly task: 'chart-coverage'; readonly ref: ChartRef }
  /** A schema for its values, and their table. */
  | { readonly task: 'chart-schema'; readonly ref: ChartRef }
  /** Unpacks uploaded files from the body of a request: JSON with each file in base64. */
  | { readonly task: 'unpack'; readonly body: Uint8Array };

/** The tool that an install script calls. */
export type OrderScript = 'helm' | 'kubectl';

/** A valid Order. */
export interface OrderFindings {
  /** The Order as JSON: up to the end of its metadata, and the rest. The store's members go between them. */
  readonly parts: readonly [string, string];
  /** The first of its issues. */
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/** A body that is not an Order: not a JSON object, or without packages. */
export interface RefusedBody {
  readonly refused: 'body' | 'packages';
  readonly message: string;
}

/** An uploaded chart, and its selection in an Order. */
export interface UploadedChart<C = Chart> {
  readonly chart: C;
  readonly sourceRef: ChartRef['sourceRef'];
  /** The schemas that it refers to, by URL. Default none. */
  readonly schemas?: Readonly<Record<string, string>> | undefined;
  /** Whether it can be removed again: it was dropped onto the page. */
  readonly isDropped?: boolean | undefined;
}

/** Uploaded files by type. */
export interface UnpackedFiles {
  readonly charts: readonly UploadedChart[];
  readonly orders: readonly NamedText[];
  readonly values: readonly NamedText[];
  /** Unknown or invalid files. */
  readonly refused: readonly { readonly name: string; readonly message: string; readonly hint?: string }[];
}

/** The text of a file with its name. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The answers to jobs, by task: a rendered output is the body of a response. */
export type RenderAnswers = {
  readonly [Task in RenderJob['task']]: Task extends 'check'
    ? OrderFindings | RefusedBody
    : Task extends 'unpack'
      ? UnpackedFiles
      : Uint8Array;
};

/** Runs a job. Rejects with a `RenderError`, or with `RenderersBusy`. */
export type Renderer = <Job extends RenderJob>(job: Job) => Promise<RenderAnswers[Job['task']]>;

/** Thrown for a job dropped from a full queue. */
export class RenderersBusy extends Error {
  override readonly name = 'RenderersBusy';
}

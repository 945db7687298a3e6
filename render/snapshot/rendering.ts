// A rendered input for comparison: normalized files, and access to causes. For a cached rendering, the rest is computed on demand.

import type { SourcedDocument } from '../manifest/source.ts';
import type { SideRelease } from '../provenance/impact/attribution.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import type { ChangedFile, SnapshotFiles } from './compare.ts';
import type { CaseFinding, CaseOutcome, RandomSite } from './outcome.ts';

/** A rendered input. */
export interface CaseRendering {
  /** The digest of each normalized file. */
  readonly digests: ReadonlyMap<string, string>;
  /** Returns the normalized files. */
  readonly files: () => Promise<SnapshotFiles>;
  /** Returns the files as rendered, for recordings in the older format. */
  readonly plain: () => Promise<SnapshotFiles>;
  /** Returns a document of a file as rendered, trimmed and without its source line. */
  readonly original: (file: string, content: string) => Promise<string>;
  /** Returns the random members, with what writes them. */
  readonly random: () => Promise<readonly RandomSite[]>;
  /** Problems of objects, if requested. */
  readonly findings: readonly CaseFinding[];
  /** Returns a changed file as a complete manifest, if it contains only differences. Default: all files are complete. */
  readonly whole?: WholeFiles | undefined;
  readonly cases: readonly CaseOutcome[];
  /** The files of cases that do not render: their recordings are kept. */
  readonly missing: readonly string[];
  /** The namespace of objects without one; empty if packages have their own. */
  readonly namespace: string;
  /** The folder of the chart; empty for an Order. */
  readonly folder: string;
  /** Returns the inputs of each case or release by name. */
  readonly inputs: () => Promise<Readonly<Record<string, Inputs>>>;
  /** Renders again with a trace: returns the release of a document in some files, by the name of its inputs. */
  readonly traced: Traced;
  /** Writes the rendering to the cache. */
  readonly keep: () => void;
}

/** Returns a changed file as a complete manifest; undefined for one whose changes equal those of another. */
export type WholeFiles = (
  change: ChangedFile,
  sides: { readonly recorded: SnapshotFiles; readonly rendered: SnapshotFiles; readonly mask: readonly string[] },
) => ChangedFile | undefined;

/** Returns the release of a document in some files. */
export type Traced = (
  files: readonly string[],
  document: SourcedDocument | undefined,
) => Promise<TracedRelease | undefined>;

/** A release with its trace. */
export interface TracedRelease extends SideRelease {
  /** The name of its inputs. */
  readonly key: string;
  /** The Kubernetes version of its inputs, if it differs from the recorded one. */
  readonly kubeVersion?: string | undefined;
}

/** Returns the text of a document without its source line. */
export function bareContent(content: string): string {
  return content.replace(/^\s*(?:# Source: [^\n]*\n)?/, '').trim();
}

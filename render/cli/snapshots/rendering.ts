// What rendering an input gives to be compared: files as a snapshot keeps them, and how to find out what made them. Of a
// rendering that an earlier run kept, the rest is made when it is needed.

import type { SourcedDocument } from '../../manifest/source.ts';
import type { SideRelease } from '../../provenance/impact/attribution.ts';
import type { Inputs } from '../../provenance/impact/inputs.ts';
import type { ChangedFile, SnapshotFiles } from '../../snapshot/compare.ts';
import type { CaseFinding, CaseOutcome, RandomSite } from './outcome.ts';

/** A rendered input. */
export interface CaseRendering {
  /** The digest of each file as a snapshot keeps it. */
  readonly digests: ReadonlyMap<string, string>;
  /** Returns the files as a snapshot keeps them. */
  readonly files: () => Promise<SnapshotFiles>;
  /** Returns them as they were rendered, for what is recorded in the older form. */
  readonly plain: () => Promise<SnapshotFiles>;
  /** Returns a document of a file as it was rendered, trimmed and without the line that names its source. */
  readonly original: (file: string, content: string) => Promise<string>;
  /** Returns the members that are drawn at random, with what writes them. */
  readonly random: () => Promise<readonly RandomSite[]>;
  /** What is wrong with objects, as far as that was requested. */
  readonly findings: readonly CaseFinding[];
  /** Returns a changed file as the manifest that it stands for, where it holds only a part. Default all are whole. */
  readonly whole?: WholeFiles | undefined;
  readonly cases: readonly CaseOutcome[];
  /** The files of cases that do not render: what is recorded of them stays. */
  readonly missing: readonly string[];
  /** The namespace of objects that name none; empty where packages have their own. */
  readonly namespace: string;
  /** Where the chart lies; empty for an Order. */
  readonly folder: string;
  /** Returns what each case or release was made of, by its name. */
  readonly inputs: () => Promise<Readonly<Record<string, Inputs>>>;
  /** Renders once more, with the trace: gives the release that a document of some files is of, by the name of its inputs. */
  readonly traced: Traced;
  /** Keeps what was made for a later run. */
  readonly keep: () => void;
}

/** Returns a changed file as the manifest that it stands for; undefined for one that changes as another one does. */
export type WholeFiles = (
  change: ChangedFile,
  sides: { readonly recorded: SnapshotFiles; readonly rendered: SnapshotFiles; readonly mask: readonly string[] },
) => ChangedFile | undefined;

/** Returns the release that a document of some files is of. */
export type Traced = (
  files: readonly string[],
  document: SourcedDocument | undefined,
) => Promise<TracedRelease | undefined>;

/** A release with its trace. */
export interface TracedRelease extends SideRelease {
  /** The name of its inputs. */
  readonly key: string;
  /** The version of Kubernetes that its inputs would have named, where that is another than the one that they name. */
  readonly kubeVersion?: string | undefined;
}

/** Returns the text of a document without the line that names its source. */
export function bareContent(content: string): string {
  return content.replace(/^\s*(?:# Source: [^\n]*\n)?/, '').trim();
}

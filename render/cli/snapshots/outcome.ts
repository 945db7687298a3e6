// How an input compares with its snapshot, as plain data: threads hand it over, and reports are made from it.

import type { Meaning, ShownChange } from '../../snapshot/meaning.ts';

/** What the file of a case's CRDs ends in: those of `crds/`, which are the same in most cases. */
export const crdsEnding = '.crds.yaml';

/** Names the state of a case. `alike`: written otherwise, and meaning the same. */
export type CaseStatus = 'same' | 'alike' | 'different' | 'new' | 'fault';

/** A case of a chart, or an Order. */
export interface CaseOutcome {
  /** Such as `minimal-values`; `order` for an Order. */
  readonly name: string;
  readonly valuesFiles: readonly string[];
  readonly status: CaseStatus;
  /** Why it does not render; empty where it does. */
  readonly message: string;
  /** Of the processor; 0 where it was not rendered. */
  readonly milliseconds: number;
}

/** What is wrong with a rendered object, or with rendering it. */
export interface Finding {
  /** `schema`: not what its schema says; `api`: an API that goes; `refused`: not rendered for a version of Kubernetes. */
  readonly rule: 'schema' | 'api' | 'refused';
  readonly severity: 'error' | 'warning';
  /** Such as `Deployment/web`; empty where it is of none. */
  readonly object: string;
  /** The template file, and its line where that can be known. */
  readonly source: string;
  readonly line?: number;
  /** Such as `spec.replicas`. */
  readonly path: string;
  /** With the object and the template. */
  readonly message: string;
  readonly hint: string;
  /** The version of Kubernetes whose data shows it; empty where none does. */
  readonly kubeVersion: string;
}

/** A finding, and what it is of. */
export interface CaseFinding extends Finding {
  readonly case: string;
  /** The version of Kubernetes, of several that were requested; empty where one was. */
  readonly cell: string;
}

/** A value that is drawn at random, and what writes it. */
export interface RandomSite {
  readonly object: string;
  readonly path: string;
  /** The template and its line; the line is 0 where it cannot be known. */
  readonly file: string;
  readonly line: number;
}

/** An object that is not the same. */
export type OutcomeChange = Omit<ShownChange, 'documents'>;

/** How one input differs from what a revision renders to. */
export interface RevisionChange {
  /** Whether the revision has the input, and the current files do. */
  readonly status: 'both' | 'new' | 'gone';
  /** Why the revision does not render; empty where it does. */
  readonly fault: string;
  readonly meaning: Outcome['meaning'];
  /** The findings of the revision. */
  readonly standing: readonly CaseFinding[];
  /** The warnings of its renderings. */
  readonly warnings: readonly string[];
  /** Why inputs or cases do not render there. */
  readonly faults: readonly string[];
}

/** How one input compares with its snapshot. */
export interface Outcome {
  readonly input: string;
  /** What its snapshot is called. */
  readonly name: string;
  /** The folder of its snapshot, as it is printed. */
  readonly snapshot: string;
  /** Whether the input could not even be read. */
  readonly isFault: boolean;
  readonly cases: readonly CaseOutcome[];
  /** How many files were rendered. */
  readonly files: number;
  /** How many of them are not the CRDs of a case. */
  readonly manifests: number;
  readonly meaning: Omit<Meaning, 'objects'> & { readonly objects: readonly OutcomeChange[] };
  /** What was written and removed by an update. */
  readonly written: number;
  readonly removed: number;
  /** Whether what is recorded is of an older form. */
  readonly isOld: boolean;
  readonly random: readonly RandomSite[];
  readonly findings: readonly CaseFinding[];
  /** Where the files of the chart lie, such as `charts/web`; empty for an Order. */
  readonly folder: string;
  /** What Helm warns of when it renders it. */
  readonly warnings: readonly string[];
  /** The files of the repository that causes of its changes name. */
  readonly sources: readonly string[];
  /** How it differs from a revision, where the run compares with one. */
  readonly against?: RevisionChange | undefined;
}

/** Nothing that changed. */
export const noMeaning: Outcome['meaning'] = {
  summary: { added: 0, removed: 0, changed: 0, replaced: 0, renamed: 0, same: 0, risks: {}, restarts: [] },
  objects: [],
  ignored: [],
  unusedRules: [],
  files: [],
  alike: [],
};

/** Returns what is shown of an outcome: how it differs from a revision, or else from its snapshot. */
export function shownChange({ against, meaning }: Outcome): Pick<RevisionChange, 'status' | 'meaning'> {
  return against ?? { status: 'both', meaning };
}

/** Returns the findings that the revision does not have; all of them in a run that compares with none. */
export function newFindings({ findings, against }: Outcome): readonly CaseFinding[] {
  const keyOf = ({ severity, object, path, message, cell }: CaseFinding): string =>
    JSON.stringify([severity, object, path, message.replace(/:\d+: /, ': '), cell]);
  const standing = new Set(against?.standing.map(keyOf));
  return findings.filter((finding) => !standing.has(keyOf(finding)));
}

/** Returns the warnings that the revision does not have; all of them in a run that compares with none. */
export function newWarnings({ warnings, against }: Outcome): readonly string[] {
  return warnings.filter((line) => against?.warnings.includes(line) !== true);
}

/** Reports whether something of an input does not render. */
export function hasFault({ isFault, cases }: Outcome): boolean {
  return isFault || cases.some(({ status }) => status === 'fault');
}

/** Reports whether nothing of an input renders, so that there is nothing to compare. */
export function isAllFault(outcome: Outcome): boolean {
  return outcome.isFault || (outcome.files === 0 && hasFault(outcome));
}

/** Reports whether an object of an input is at fault. */
export function hasErrors({ findings }: Outcome): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Reports whether an input is not as recorded; with an update nothing is. */
export function isDifferent({ meaning }: Outcome, isUpdate: boolean): boolean {
  return !isUpdate && meaning.files.length > 0;
}

/** Reports whether an outcome makes a run fail. */
export function isBad(outcome: Outcome, isUpdate: boolean): boolean {
  return hasFault(outcome) || hasErrors(outcome) || isDifferent(outcome, isUpdate);
}

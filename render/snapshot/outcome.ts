// The result of comparing an input with its snapshot, as plain data for threads and reports.

import type { Meaning, ShownChange } from './meaning.ts';

/** The suffix of a case's CRD file: the files in `crds/`, which are the same in most cases. */
export const crdsEnding = '.crds.yaml';

/** The state of a case. `alike`: different text with the same meaning. */
export type CaseStatus = 'same' | 'alike' | 'different' | 'new' | 'fault';

export interface CaseOutcome {
  /** For example `minimal-values`; `order` for an Order. */
  readonly name: string;
  readonly valuesFiles: readonly string[];
  readonly status: CaseStatus;
  /** Why it does not render; empty if it does. */
  readonly message: string;
  /** Processor time; 0 if it was not rendered. */
  readonly milliseconds: number;
}

/** Reports whether a case is that of an Order. A case of a chart can have the same name, after a values file. */
export function isOfOrder({ name, valuesFiles }: Pick<CaseOutcome, 'name' | 'valuesFiles'>): boolean {
  return name === 'order' && valuesFiles.length === 0;
}

/** A problem of a rendered object, or of rendering it. */
export interface Finding {
  /** `schema`: violates its schema; `api`: removed or deprecated API; `refused`: not rendered for a Kubernetes version. */
  readonly rule: 'schema' | 'api' | 'refused';
  readonly severity: 'error' | 'warning';
  /** For example `Deployment/web`; empty if it concerns no object. */
  readonly object: string;
  /** The template file, and its line if known. */
  readonly source: string;
  readonly line?: number;
  /** For example `spec.replicas`. */
  readonly path: string;
  /** Including the object and the template. */
  readonly message: string;
  readonly hint: string;
  /** The Kubernetes version of the data; empty if not applicable. */
  readonly kubeVersion: string;
}

/** A finding with its context. */
export interface CaseFinding extends Finding {
  readonly case: string;
  /** The requested Kubernetes version, if there were several; empty otherwise. */
  readonly cell: string;
}

/** A random value, and what writes it. */
export interface RandomSite {
  readonly object: string;
  readonly path: string;
  /** The template and its line; 0 if unknown. */
  readonly file: string;
  readonly line: number;
}

export type OutcomeChange = Omit<ShownChange, 'documents'>;

/** The differences of an input from its rendering at a revision. */
export interface RevisionChange {
  /** Whether the revision has the input, and the current files do. */
  readonly status: 'both' | 'new' | 'gone';
  /** Why the revision does not render; empty if it does. */
  readonly fault: string;
  readonly meaning: Outcome['meaning'];
  /** The findings at the revision. */
  readonly standing: readonly CaseFinding[];
  /** The warnings of its renderings. */
  readonly warnings: readonly string[];
  /** Why inputs or cases do not render there. */
  readonly faults: readonly string[];
}

export interface Outcome {
  readonly input: string;
  readonly name: string;
  readonly snapshot: string;
  /** Whether the input could not be read. */
  readonly isFault: boolean;
  readonly cases: readonly CaseOutcome[];
  readonly files: number;
  /** Number of those that are not CRDs of a case. */
  readonly manifests: number;
  readonly meaning: Omit<Meaning, 'objects'> & { readonly objects: readonly OutcomeChange[] };
  /** Files written and removed by an update. */
  readonly written: number;
  readonly removed: number;
  readonly random: readonly RandomSite[];
  readonly findings: readonly CaseFinding[];
  /** The folder of the chart's files, such as `charts/web`; empty for an Order. */
  readonly folder: string;
  readonly warnings: readonly string[];
  /** The repository files that causes of its changes refer to. */
  readonly sources: readonly string[];
  /** Its differences from a revision, if the run compares with one. */
  readonly against?: RevisionChange | undefined;
}

export const noMeaning: Outcome['meaning'] = {
  summary: { added: 0, removed: 0, changed: 0, replaced: 0, renamed: 0, same: 0, risks: {}, restarts: [] },
  objects: [],
  ignored: [],
  unusedRules: [],
  files: [],
  alike: [],
};

/** Returns the outcome of an input of which nothing was rendered. */
export function emptyOutcome({ input, name, snapshot }: Pick<Outcome, 'input' | 'name' | 'snapshot'>): Outcome {
  return {
    input,
    name,
    snapshot,
    isFault: false,
    cases: [],
    files: 0,
    manifests: 0,
    meaning: noMeaning,
    written: 0,
    removed: 0,
    random: [],
    findings: [],
    folder: '',
    warnings: [],
    sources: [],
  };
}

/** Returns the differences to show: those from a revision, or else from the snapshot. */
export function shownChange({ against, meaning }: Outcome): Pick<RevisionChange, 'status' | 'meaning'> {
  return against ?? { status: 'both', meaning };
}

/** Returns the findings that the revision does not have; all of them if there is no revision. */
export function newFindings({ findings, against }: Outcome): readonly CaseFinding[] {
  const keyOf = ({ severity, object, path, message, cell }: CaseFinding): string =>
    JSON.stringify([severity, object, path, message.replace(/:\d+: /, ': '), cell]);
  const standing = new Set(against?.standing.map(keyOf));
  return findings.filter((finding) => !standing.has(keyOf(finding)));
}

/** Returns the warnings that the revision does not have; all of them if there is no revision. */
export function newWarnings({ warnings, against }: Outcome): readonly string[] {
  return warnings.filter((line) => against?.warnings.includes(line) !== true);
}

export function hasFault({ isFault, cases }: Outcome): boolean {
  return isFault || cases.some(({ status }) => status === 'fault');
}

/** Reports whether nothing of an input renders, so that there is nothing to compare. */
export function isAllFault(outcome: Outcome): boolean {
  return outcome.isFault || (outcome.files === 0 && hasFault(outcome));
}

export function hasErrors({ findings }: Outcome): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Reports whether an input differs from its recording; never with an update. */
export function isDifferent({ meaning }: Outcome, isUpdate: boolean): boolean {
  return !isUpdate && meaning.files.length > 0;
}

export function isBad(outcome: Outcome, isUpdate: boolean): boolean {
  return hasFault(outcome) || hasErrors(outcome) || isDifferent(outcome, isUpdate);
}

// Compares an input with its snapshot: differences, their meaning and their causes; or updates the recorded files.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { memo } from '../core/lazy.ts';
import type { IgnoreRule } from '../diff/noise.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import { objectWithCauses, ownText } from '../provenance/impact/attribution.ts';
import { causeSide } from '../provenance/impact/cause.ts';
import { type KnownInputs, knownInputs } from '../provenance/impact/inputs.ts';
import { contentDigest } from './cache.node.ts';
import { applyChanges, type ChangedFile, changedFiles, type SnapshotFiles } from './compare.ts';
import { type Meaning, meaningOf, type ShownChange } from './meaning.ts';
import {
  type CaseOutcome,
  type CaseStatus,
  crdsEnding,
  emptyOutcome,
  isOfOrder,
  noMeaning,
  type Outcome,
  type OutcomeChange,
  type RevisionChange,
} from './outcome.ts';
import {
  formatSnapshotRecord,
  keyMark,
  readRecord,
  readRecordMark,
  recordName,
  type SnapshotRecord,
} from './record.ts';
import { bareContent, type CaseRendering, type TracedRelease } from './rendering.node.ts';
import { checkWhole, isTorn, readSnapshot, snapshotPaths, writeSnapshot } from './stores.node.ts';

export interface ComparisonSettings {
  readonly snapshots: string;
  /** Whether snapshots are recorded instead of compared. */
  readonly isUpdate: boolean;
  /** Whether bytes are compared instead of meaning. */
  readonly isExact: boolean;
  /** Whether version labels and checksums count. */
  readonly isAll: boolean;
  readonly rules: readonly IgnoreRule[];
  /** Whether failures are explained. */
  readonly explainsFailures: boolean;
  readonly listsRandom: boolean;
}

/** What the inputs of a run share. */
export interface SnapshotContext {
  readonly settings: RenderSettings;
  readonly comparison: ComparisonSettings;
  readonly io: RunIo;
}

/** A snapshot and the options for comparing its input. */
export interface Comparing extends SnapshotContext {
  readonly input: string;
  readonly name: string;
  /** The folder of the snapshot, for output. */
  readonly snapshot: string;
  /** Called with differences before their causes are known. Default: none. */
  readonly onDifference?: ((outcome: Outcome) => void) | undefined;
  /** Whether to find the causes of differences. Default true. */
  readonly isExplained?: boolean | undefined;
}

/** Compares a rendering with its snapshot; with --update it is recorded. Throws MANIFEST_INVALID for a later format. */
export async function compareRendering(rendering: CaseRendering, comparing: Comparing): Promise<Outcome> {
  const { snapshot, settings, io } = comparing;
  const { isUpdate } = comparing.comparison;
  const same = isUpdate ? undefined : await sameOutcome(rendering, comparing);
  if (same !== undefined) return same;
  const root = resolve(io.cwd, snapshot);
  const known = recordIn(root, snapshot);
  if (!isUpdate) checkWhole(root, snapshot);
  const key = keyMark(io.env.DRYDOCK_SECRET_KEY || undefined);
  const recorded = readSnapshot(root);
  if (known === undefined && recorded.size > 0 && !isUpdate) {
    // With a merge conflict between two recordings.
    io.stderr(
      `Note: ${snapshot}/${recordName} is missing or incomplete, as after a merge, so causes are not reported: --update writes it again\n`,
    );
  }
  const isOtherKey = known !== undefined && known.key !== key;
  if (isOtherKey && !isUpdate && !settings.showSecrets) {
    io.stderr(
      `Warning: ${snapshot} was recorded with another DRYDOCK_SECRET_KEY, so the fingerprints of its secrets differ: set that key, or record it again with --update\n`,
    );
  }
  const files = await rendering.files();
  const { changes, meaning } = compareFiles({ recorded, rendered: files }, rendering, comparing);
  if (isUpdate) {
    const kept = formatSnapshotRecord({ key, inputs: await keptInputs(rendering, known) });
    writeSnapshot(root, applyChanges(recorded, changes), new Map([[recordName, kept]]));
  }
  const removed = changes.filter(({ status }) => status === 'obsolete').length;
  const outcome: Outcome = {
    ...(await unchanged(rendering, comparing)),
    cases: rendering.cases.map((one) =>
      one.status === 'fault' ? one : { ...one, status: statusOf(one, changes, meaning) },
    ),
    meaning: { ...meaning, objects: isUpdate ? [] : meaning.objects.map(plainChange) },
    written: isUpdate ? changes.length - removed : 0,
    removed: isUpdate ? removed : 0,
  };
  if (outcome.meaning.objects.length > 0) comparing.onDifference?.(outcome);
  const objects: OutcomeChange[] = [];
  if (!isUpdate && comparing.isExplained !== false) {
    const earlier = recordedInputs(known);
    for (const change of meaning.objects) objects.push(await explained(change, rendering, earlier));
  } else objects.push(...outcome.meaning.objects);
  return { ...outcome, meaning: { ...meaning, objects } };
}

type FileSides = Readonly<Record<'recorded' | 'rendered', SnapshotFiles>>;

function compareFiles(
  { recorded, rendered }: FileSides,
  { namespace, missing, whole = (change) => change }: Pick<CaseRendering, 'namespace' | 'missing' | 'whole'>,
  { comparison, settings, io }: Comparing,
): { readonly changes: readonly ChangedFile[]; readonly meaning: Meaning } {
  const { rules, isAll, isExact } = comparison;
  const changes = changedFiles(recorded, rendered, missing);
  const meant = changes.flatMap((change) => whole(change, { recorded, rendered }) ?? []);
  const meaning = meaningOf(withCrdsOfCases(meant, recorded, rendered), {
    ignore: rules,
    all: isAll,
    exact: isExact,
    showSecrets: settings.showSecrets,
    namespace,
    secretKey: io.env.DRYDOCK_SECRET_KEY || undefined,
  });
  return { changes, meaning };
}

/** An input at a revision. */
export interface BaseSide {
  readonly status: RevisionChange['status'];
  /** Undefined if it does not render, or the revision does not have it. */
  readonly rendering?: CaseRendering | undefined;
  /** Why it does not render. Default: it does. */
  readonly fault?: string;
  /** Helm's warnings for it. Default none. */
  readonly warnings?: readonly string[];
}

function areSame(one: CaseRendering, other: CaseRendering): boolean {
  const isSame = [...one.digests].every(([path, digest]) => other.digests.get(path) === digest);
  return isSame && one.digests.size === other.digests.size;
}

export async function compareSides(
  base: BaseSide,
  rendering: CaseRendering | undefined,
  comparing: Comparing,
): Promise<RevisionChange> {
  const { status, rendering: before } = base;
  const fault = base.fault ?? faultBefore(before, rendering);
  const faults = [...(base.fault === undefined ? [] : [base.fault]), ...faultsOf(before)];
  const found = {
    status,
    fault,
    meaning: noMeaning,
    standing: before?.findings ?? [],
    warnings: base.warnings ?? [],
    faults,
  };
  const own = rendering ?? before;
  if (base.fault !== undefined || own === undefined) return found;
  if (before && rendering && areSame(before, rendering))
    return { ...found, meaning: { ...noMeaning, unusedRules: comparing.comparison.rules } };
  const [recorded, rendered] = [await filesOf(before, own), await filesOf(rendering, own)];
  const missing = [...(before?.missing ?? []), ...(rendering?.missing ?? [])];
  const { meaning } = compareFiles({ recorded, rendered }, { ...own, missing }, comparing);
  const objects: OutcomeChange[] = [];
  for (const change of meaning.objects) objects.push(await explainedSides(change, before, rendering));
  return { ...found, meaning: { ...meaning, objects } };
}

// Cases that do not render at the revision, but do now, have nothing to be compared with.
function faultBefore(before: CaseRendering | undefined, after: CaseRendering | undefined): string {
  const fine = new Set(after?.cases.filter(({ status }) => status !== 'fault').map(({ name }) => name));
  const faults = before?.cases.filter(({ name, status }) => status === 'fault' && fine.has(name)) ?? [];
  return faults.map(({ name, message }) => `case ${name}: ${message.trimEnd()}`).join('\n');
}

function faultsOf(side: CaseRendering | undefined): string[] {
  return (side?.cases ?? []).filter(({ status }) => status === 'fault').map(({ message }) => message);
}

// An input on only one side has empty files on the other, so that its objects are reported.
async function filesOf(side: CaseRendering | undefined, own: CaseRendering): Promise<SnapshotFiles> {
  if (side !== undefined) return side.files();
  return new Map([...(await own.files()).keys()].filter((path) => path.endsWith('.yaml')).map((path) => [path, '']));
}

async function explainedSides(
  change: ShownChange,
  before: CaseRendering | undefined,
  after: CaseRendering | undefined,
): Promise<OutcomeChange> {
  // What is added or removed with its chart needs no other cause.
  if (before === undefined || after === undefined) return plainChange(change);
  const { documents, files } = change;
  const document = documents.before ?? documents.after;
  const content = document && (await before.original(files[0] ?? '', bareContent(document.content)));
  const release = await before.traced(files, document && { ...document, content: content ?? '' });
  return explained(change, after, () => release?.side.known);
}

type EarlierInputs = (release: TracedRelease) => KnownInputs | undefined;

function recordedInputs(known: SnapshotRecord | undefined): EarlierInputs {
  // Parsed once for each release, for all of its objects.
  const read = new Map<string, KnownInputs>();
  return ({ key, kubeVersion }) => {
    const kept = known?.inputs[key];
    if (kept === undefined) return undefined;
    const id = `${key} ${kubeVersion}`;
    const inputs = read.get(id) ?? knownInputs({ ...kept, kubeVersion: kubeVersion ?? kept.kubeVersion });
    read.set(id, inputs);
    return inputs;
  };
}

/** Returns the outcome of a rendering that is exactly as recorded, from digests only; undefined if that is unknown, or it differs. */
async function sameOutcome(rendering: CaseRendering, comparing: Comparing): Promise<Outcome | undefined> {
  const { snapshot, settings, io } = comparing;
  const root = resolve(io.cwd, snapshot);
  // Another key of fingerprints is reported.
  const mark = recordMark(root);
  const isOwnKey = mark === keyMark(io.env.DRYDOCK_SECRET_KEY || undefined) || settings.showSecrets;
  if (mark === undefined || !isOwnKey || !isRecorded(rendering, root)) return undefined;
  return unchanged(rendering, comparing);
}

function isRecorded({ digests, missing }: CaseRendering, root: string): boolean {
  if (isTorn(root)) return false;
  const paths = [...snapshotPaths(root)].filter(([path]) => !missing.includes(path));
  if (paths.length !== digests.size || !paths.every(([path]) => digests.has(path))) return false;
  const digestOf = memo((file: string) => contentDigest(readFileSync(file)));
  return paths.every(([path, file]) => digestOf(file) === digests.get(path));
}

async function unchanged(rendering: CaseRendering, comparing: Comparing): Promise<Outcome> {
  const { cases, digests, findings, folder } = rendering;
  const { rules, listsRandom } = comparing.comparison;
  return {
    ...emptyOutcome(comparing),
    cases,
    files: digests.size,
    manifests: [...digests.keys()].filter((path) => !/\.crds\./.test(path)).length,
    meaning: { ...noMeaning, unusedRules: rules },
    // On demand: it requires a traced rendering.
    random: listsRandom ? await rendering.random() : [],
    findings,
    folder,
  };
}

/** Returns changes in which the CRDs of a case on both sides are compared object by object, although one side has no file of them. */
function withCrdsOfCases(
  changes: readonly ChangedFile[],
  recorded: SnapshotFiles,
  rendered: SnapshotFiles,
): readonly ChangedFile[] {
  return changes.map((change) => {
    if (!change.path.endsWith(crdsEnding)) return change;
    const own = `${change.path.slice(0, -crdsEnding.length)}.yaml`;
    return recorded.has(own) && rendered.has(own) ? { ...change, status: 'different' } : change;
  });
}

function recordMark(root: string): string | undefined {
  const file = join(root, recordName);
  return existsSync(file) ? readRecordMark(readFileSync(file, 'latin1')) : undefined;
}

function recordIn(root: string, snapshot: string): SnapshotRecord | undefined {
  const file = join(root, recordName);
  return existsSync(file) ? readRecord(decodeUtf8(readFileSync(file)), `${snapshot}/${recordName}`) : undefined;
}

// Recorded files of a case that does not render now are kept.
async function keptInputs(
  rendering: CaseRendering,
  known: SnapshotRecord | undefined,
): Promise<SnapshotRecord['inputs']> {
  const kept = Object.entries(known?.inputs ?? {}).filter(([name]) => rendering.missing.includes(`${name}.yaml`));
  return { ...Object.fromEntries(kept), ...(await rendering.inputs()) };
}

// After the name of a case; another case may be called `NAME.prod`.
const caseEnding = /^\.(?:(?:crds\.)?(?:yaml$|(?:kube|apis|values)-)|failure\.txt$|helm-)/;

function statusOf(one: CaseOutcome, changes: readonly ChangedFile[], meaning: Meaning): CaseStatus {
  const { name } = one;
  const isOwn = (path: string): boolean =>
    isOfOrder(one) || (path.startsWith(name) && caseEnding.test(path.slice(name.length)));
  const own = meaning.files.filter(({ path }) => isOwn(path));
  if (own.some(({ status }) => status !== 'new')) return 'different';
  if (own.length > 0) return 'new';
  return changes.some(({ path }) => isOwn(path)) ? 'alike' : 'same';
}

async function explained(
  change: ShownChange,
  rendering: CaseRendering,
  earlier: EarlierInputs,
): Promise<OutcomeChange> {
  const { documents, files } = change;
  const { after: shown } = documents;
  const after = shown && {
    ...shown,
    content: await rendering.original(files[0] ?? '', bareContent(shown.content)),
  };
  const release = await rendering.traced(files, after);
  if (release === undefined) return plainChange(change);
  const inputs = earlier(release);
  const found = after && release.documents.find(({ content }) => ownText(content) === ownText(after.content));
  const own = after && { path: found?.path ?? after.path, content: after.content };
  const object = {
    ...change,
    documents: { ...(documents.before && { before: documents.before }), ...(own && { after: own }) },
  };
  const before = {
    ...release,
    documents: documents.before === undefined ? [] : [documents.before],
    // Without a recording, the causes can only be what wrote it now.
    side: causeSide(inputs ?? release.side.known),
  };
  const causes = objectWithCauses(object, [before], [release]);
  return inputs === undefined ? withoutCauses(plainChange(causes)) : plainChange(causes);
}

function plainChange({ documents: _, ...rest }: ShownChange): OutcomeChange {
  return rest;
}

function withoutCauses({ causes: _, entries, ...change }: OutcomeChange): OutcomeChange {
  return { ...change, entries: entries.map(({ causes: __, ...entry }) => entry) };
}

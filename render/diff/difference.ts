// The entry point of this module: compares two sets of Kubernetes objects and returns semantic changes as plain data.

import { JsonNumber } from '../codec/json.ts';
import { plainValue } from '../codec/plain.ts';
import { groupBy } from '../core/group-by.ts';
import { asLimit } from '../core/limits.ts';
import type { Steps } from '../core/paths.ts';
import { copyTree } from '../go/copy-tree.ts';
import { type GoMap, type GoValue, Int } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { compareValues, type EntryOp, type RawEntry, schemaOf } from './compare.ts';
import type { EmbeddedFormat } from './embedded.ts';
import { fingerprint } from './fingerprint.ts';
import { isFilledIn, isHookObject, isImmutable, withoutBookkeeping, withServerDefaults } from './live.ts';
import { matchObjects, type ObjectPair } from './match.ts';
import { type Ignored, type IgnoreRule, isChecksum, isVersionLabel, ruleTest } from './noise.ts';
import {
  type DiffDocument,
  type DiffSide,
  documentsOf,
  isBuiltinGroup,
  isFromTemplates,
  isLive,
  isMadeByCluster,
  type SideObject,
  scopesOf,
  sideObjects,
  withPlainData,
} from './objects.ts';
import { emptySelectors } from './relations.ts';
import type { Risk } from './risk-rules.ts';
import { entryRisks, type FoundRisk, objectRisks, removedRisks } from './risks.ts';
import { type DiffStep, stepsText } from './steps.ts';
import { isScalar, scalarType } from './value.ts';

/** The changes of objects. `replaced`: an immutable member changes, so that it must be recreated. */
export const objectStatuses = ['added', 'removed', 'changed', 'replaced', 'renamed'] as const;

/** The change of an object. */
export type ObjectStatus = (typeof objectStatuses)[number];

/** Options of a comparison. */
export interface DiffOptions {
  /** What to ignore, in addition to consequences of other changes. Default none. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Whether version labels and checksums are compared too. Default false. */
  readonly all?: boolean | undefined;
  /** Shows the data of Secrets. Default false: it is replaced by fingerprints. */
  readonly showSecrets?: boolean | undefined;
  /** The key of the fingerprints: with the same key, equal secrets have equal fingerprints. Default `drydock`. */
  readonly secretKey?: string | undefined;
}

/** The cause of an entry: a value, a template, another version. */
export interface DiffCause {
  readonly kind: string;
  /** For people, such as `replicaCount, set in values.yaml:2`. */
  readonly text: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** The changed version of a chart, of Kubernetes or of Helm. */
  readonly version?: VersionChange | undefined;
}

/** A changed version. */
export interface VersionChange {
  /** The chart with its enclosing charts, such as `web/charts/redis`; undefined for Kubernetes and Helm. */
  readonly chart?: string | undefined;
  /** Which version of a chart. Default `version`. */
  readonly field?: 'appVersion' | undefined;
  readonly from: string;
  readonly to: string;
}

/** A difference within an object. */
export interface DiffEntry {
  readonly op: EntryOp;
  /** The path for people, such as `spec.template.spec.containers[name=web].image`. */
  readonly path: string;
  /** The member's keys and indexes in each side where it exists; for an embedded text, those of the text. */
  readonly steps: { readonly before?: Steps; readonly after?: Steps };
  /** JSON values; missing on the side where the member does not exist. Data of Secrets are fingerprints unless requested. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** The language of an embedded text that was compared inside, and the path in it. */
  readonly inside?: { readonly format: EmbeddedFormat; readonly path: string };
  /** The differing hunks of a multi-line text. */
  readonly lines?: string;
  /** Whether a cluster refuses the change. */
  readonly isImmutable: boolean;
  readonly risks: readonly Risk[];
  /** What wrote it, if known. */
  readonly place?: DiffPlace;
  readonly causes?: readonly DiffCause[];
}

export interface DiffPlace {
  /** The path starting with the chart's name. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
}

/** The identity of an object. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty if neither the object nor its side has one. */
  readonly namespace: string;
  readonly name: string;
}

/** An object that differs. Its name is that of the later side; for a removed one, that of the earlier. */
export interface ObjectChange extends ObjectName {
  readonly status: ObjectStatus;
  /** The former name of a renamed object. */
  readonly from?: ObjectName;
  /** Its template or file. */
  readonly source: string;
  /** The document of each side where it exists. */
  readonly documents: { readonly before?: SourcedDocument; readonly after?: SourcedDocument };
  readonly entries: readonly DiffEntry[];
  /** The place of the document, more precise than `source`, if known. */
  readonly place?: DiffPlace;
  /** Why it was added or removed, if known. */
  readonly causes?: readonly DiffCause[];
  /** All risks: those of its entries, and its own. */
  readonly risks: readonly Risk[];
}

/** Number of objects by change. */
export interface DiffSummary extends Readonly<Record<ObjectStatus | 'same', number>> {
  /** Number of objects by risk. */
  readonly risks: Readonly<Partial<Record<Risk, number>>>;
  /**
   * The Deployments, StatefulSets and DaemonSets whose pods are replaced: their pod templates differ, even if only in version labels and
   * checksums.
   */
  readonly restarts: readonly ObjectName[];
}

/** A difference. */
export interface Difference {
  readonly summary: DiffSummary;
  readonly objects: readonly ObjectChange[];
  /** What was ignored, by reason. */
  readonly ignored: readonly Ignored[];
  /** Rules that matched nothing. */
  readonly unusedRules: readonly IgnoreRule[];
}

const followsVersion = 'labels of the chart or application version';
const followsContent = 'checksums of what changes';
const followsRun = 'hooks, which a cluster holds only while they run';

/** Compares two sides. Throws MANIFEST_INVALID if a document is not YAML, LIMIT_REACHED, SyntaxError for the pattern of a rule. */
export function diffObjects(before: DiffSide, after: DiffSide, options: DiffOptions = {}): Difference {
  try {
    return new Comparer(options).compare(before, after);
  } catch (error) {
    throw asLimit(error) ?? error;
  }
}

/** A compared pair of objects, before consequences of other changes are removed. */
interface ComparedPair extends ObjectPair {
  readonly shown: readonly RawEntry[];
  readonly checksums: readonly RawEntry[];
  readonly isRestarted: boolean;
  /** Whether version labels are left out. */
  readonly hasOtherVersion: boolean;
}

interface EntrySides {
  readonly before: SideObject;
  readonly after: SideObject;
  readonly found: readonly FoundRisk[];
}

class Comparer {
  readonly #options: DiffOptions;
  readonly #ignored = new Map<string, number>();
  readonly #rules: { readonly rule: IgnoreRule; readonly test: ReturnType<typeof ruleTest> }[];
  readonly #used = new Set<IgnoreRule>();
  #definitions: readonly GoMap[] = [];
  // Objects of one side only that are not reported although the sides differ.
  #leftOut = 0;
  #isLive = { before: false, after: false };
  #selectsNothing: ReadonlySet<SideObject> = new Set();

  constructor(options: DiffOptions) {
    this.#options = options;
    this.#rules = (options.ignore ?? []).map((rule) => ({ rule, test: ruleTest(rule) }));
  }

  compare(before: DiffSide, after: DiffSide): Difference {
    const { same, rest } = takeSame(before, after);
    const shared = same.filter(({ content }) => content.includes('CustomResourceDefinition'));
    const scopes = scopesOf([...shared, ...rest.before, ...rest.after]);
    const old = sideObjects(rest.before, scopes);
    const now = sideObjects(rest.after, scopes);
    this.#definitions = [...sideObjects(shared, scopes), ...old, ...now]
      .map(({ object }) => object)
      .filter(isDefinition);
    const hasLive = (side: readonly SideObject[]): boolean => side.some(({ object }) => isLive(object));
    this.#isLive = { before: hasLive(old), after: hasLive(now) };
    const matched = matchObjects(old, now).flatMap(withoutMoves);
    const pairs = matched.map((pair) => this.#comparePair(pair));
    this.#selectsNothing = emptySelectors(() => sideObjects(same, scopes), pairs);
    const changing = new Set(pairs.filter((pair) => this.#mayBeSummed(pair)));
    const objects = pairs.flatMap((pair) => this.#changeOf(pair, changing.size > (changing.has(pair) ? 1 : 0)));
    return {
      summary: summaryOf(objects, {
        same: same.length + pairs.length - objects.length - this.#leftOut,
        restarts: pairs.filter(({ isRestarted }) => isRestarted).map(({ after }) => identityOf(after!)),
      }),
      objects,
      ignored: [...this.#ignored].map(([reason, count]) => ({ reason, count })),
      unusedRules: this.#rules.map(({ rule }) => rule).filter((rule) => !this.#used.has(rule)),
    };
  }

  // Whether the checksum of a file that contains the object differs.
  #mayBeSummed({ before, after, shown, hasOtherVersion }: ComparedPair): boolean {
    return (
      before === undefined || after === undefined || shown.length > 0 || hasOtherVersion || isOtherName(before, after)
    );
  }

  #comparePair({ before, after }: ObjectPair): ComparedPair {
    if (before === undefined || after === undefined) {
      return { before, after, shown: [], checksums: [], hasOtherVersion: false, isRestarted: false };
    }
    const versions = this.#ignored.get(followsVersion);
    const all = this.#entriesOf(before, after);
    const entries = all.filter((entry) => !this.#isIgnored(before, after, entry));
    const hasOtherVersion = this.#ignored.get(followsVersion) !== versions;
    const checksums =
      this.#options.all === true
        ? []
        : entries.filter((entry) => isChecksum(entry) && !isFixedEntry(before, after, entry));
    const shown = entries.filter((entry) => !checksums.includes(entry));
    return { before, after, shown, checksums, hasOtherVersion, isRestarted: this.#isRestarted(before, after, all) };
  }

  #isRestarted(before: SideObject, after: SideObject, entries: readonly RawEntry[]): boolean {
    if (!isBuiltinGroup(after.group) || !followsTemplate(after.kind, after.object) || isOtherName(before, after))
      return false;
    return entries.some((entry) => isInPodTemplate(entry.steps) && this.#ruleFor(after, entry) === undefined);
  }

  #entriesOf(before: SideObject, after: SideObject): RawEntry[] {
    const [wasLive, isLiveNow] = [isLive(before.object), isLive(after.object)];
    const isBuiltin = isBuiltinGroup(after.group);
    const plain = ({ object }: SideObject): GoMap => {
      if (!wasLive && !isLiveNow) return withPlainData(object);
      const own = withoutBookkeeping(object);
      return withPlainData(isBuiltin ? withServerDefaults(own) : own);
    };
    const entries = compareValues(plain(before), plain(after), {
      schema: isBuiltin ? null : schemaOf(this.#definitions, after.group, after.kind, after.version),
      isBuiltin,
      kind: after.kind,
    });
    const isRenamed = isOtherName(before, after);
    const isUnset = before.namespace === '' || after.namespace === '';
    return entries.filter((entry) => {
      const [first, second, ...more] = entry.steps;
      if (first === 'metadata' && more.length === 0) {
        if (second === 'name' || second === 'generateName') return !isRenamed;
        if (second === 'namespace') return isUnset && !wasLive && !isLiveNow;
      }
      const { kind } = after;
      if (wasLive && isFilledIn(entry, { live: 'before', kind, isBuiltin })) return false;
      return !(isLiveNow && isFilledIn(entry, { live: 'after', kind, isBuiltin }));
    });
  }

  #isIgnored(before: SideObject, after: SideObject, entry: RawEntry): boolean {
    if (this.#isRuledOut(after, entry)) return true;
    if (this.#options.all === true || !isVersionLabel(entry) || isFixedEntry(before, after, entry)) return false;
    this.#count(followsVersion);
    return true;
  }

  #isRuledOut(object: SideObject, entry?: RawEntry): boolean {
    const rule = this.#ruleFor(object, entry);
    if (rule === undefined) return false;
    this.#used.add(rule);
    this.#count(rule.reason);
    return true;
  }

  #ruleFor(object: SideObject, entry?: RawEntry): IgnoreRule | undefined {
    return this.#rules.find(({ test }) => test(object, entry))?.rule;
  }

  // Whether an object on only one side is insignificant.
  #isLeftOut(object: SideObject, isOtherLive: boolean): boolean {
    if (isMadeByCluster(object) || this.#isRuledOut(object)) return true;
    if (!isOtherLive || this.#options.all === true || !isHookObject(object.object)) return false;
    this.#count(followsRun);
    return true;
  }

  #count(reason: string): void {
    this.#ignored.set(reason, (this.#ignored.get(reason) ?? 0) + 1);
  }

  #changeOf({ before, after, shown, checksums }: ComparedPair, isFollowed: boolean): ObjectChange[] {
    const object = (after ?? before)!;
    const isOneSided = before === undefined || after === undefined;
    if (isOneSided && this.#isLeftOut(object, after === undefined ? this.#isLive.after : this.#isLive.before)) {
      this.#leftOut++;
      return [];
    }
    if (isFollowed) for (const _ of checksums) this.#count(followsContent);
    const entries = isFollowed ? shown : [...shown, ...checksums];
    const isRenamed =
      !isOneSided && isOtherName(before, after) && !this.#isRuledOut(after) && !this.#isRuledOut(before);
    if (!isOneSided && entries.length === 0 && !isRenamed) return [];
    const isRefused = !isOneSided && entries.some((entry) => isFixedEntry(before, after, entry));
    const status = statusOf({ before, after }, { isRenamed, isRefused });
    const found = foundRisks({ before, after }, status);
    const shownEntries = entries.map((entry) =>
      this.#entryOf(entry, { before: before ?? object, after: object, found }),
    );
    const own = found.filter(({ places }) => isOneSided || places.length === 0).map(({ risk }) => risk);
    const related: Risk[] = this.#selectsNothing.has(object) ? ['selects-no-pods'] : [];
    const risks = [...new Set([...shownEntries.flatMap((entry) => entry.risks), ...own, ...related])];
    return [
      {
        status,
        ...identityOf(object),
        ...(isRenamed ? { from: identityOf(before) } : {}),
        source: object.source,
        documents: { ...(before && { before: before.document }), ...(after && { after: after.document }) },
        entries: shownEntries,
        risks,
      },
    ];
  }

  #entryOf(entry: RawEntry, { before, after, found }: EntrySides): DiffEntry {
    const { op, steps, inside, lines } = entry;
    const isSecret =
      before.kind === 'Secret' && !openMembers.has(String(steps[0])) && this.#options.showSecrets !== true;
    const plain = (raw: GoValue): unknown =>
      plainValue(copyTree(isSecret ? fingerprint(raw, this.#options.secretKey ?? 'drydock') : raw, withDigits));
    const value = typedValues(entry, plain) ?? plain;
    return {
      op,
      path: stepsText(steps),
      steps: {
        ...(op === 'add' && inside === undefined ? {} : { before: ownSteps(before, entry.stepsBefore) }),
        ...(op === 'remove' && inside === undefined ? {} : { after: ownSteps(after, entry.stepsAfter) }),
      },
      ...(entry.before === undefined ? {} : { before: value(entry.before) }),
      ...(entry.after === undefined ? {} : { after: value(entry.after) }),
      ...(inside === undefined ? {} : { inside: { format: inside.format, path: stepsText(inside.steps) } }),
      ...(lines === undefined || isSecret ? {} : { lines }),
      isImmutable: isFixedEntry(before, after, entry),
      risks: [...new Set([...entryRisks(builtinKind(before), entry), ...risksAt(entry, found)])],
    };
  }
}

// All other fields of a Secret are hidden, including misplaced ones.
const openMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable']);

// JSON parsers lose the digits of larger numbers.
function withDigits(scalar: GoValue): GoValue {
  if (scalar instanceof Int)
    return Number.isSafeInteger(Number(scalar.value)) ? Number(scalar.value) : String(scalar.value);
  return scalar instanceof JsonNumber ? scalar.text : scalar;
}

// If both values look the same, their types differ.
function typedValues({ before, after, lines }: RawEntry, plain: (raw: GoValue) => unknown) {
  if (before === undefined || after === undefined || lines !== undefined || !isScalar(before) || !isScalar(after))
    return;
  if (JSON.stringify(plain(before)) !== JSON.stringify(plain(after))) return;
  return (raw: GoValue): unknown => `${String(plain(raw))} (${scalarType(raw)})`;
}

// Data of a Secret are compared as one map, whichever of the two fields contains them.
function ownSteps({ kind, object }: SideObject, steps: Steps): Steps {
  const [first, name, ...rest] = steps;
  const texts = object.get('stringData');
  const isText = kind === 'Secret' && first === 'data' && texts instanceof Map && texts.has(String(name));
  return isText ? ['stringData', String(name), ...rest] : steps;
}

function isDefinition(object: GoMap): boolean {
  return object.get('kind') === 'CustomResourceDefinition';
}

// An object with another name is another object, and so is one whose name the API server generates.
function isFixedEntry(before: SideObject, after: SideObject, entry: RawEntry): boolean {
  const { group, kind, object, isFromCrds } = before;
  if (isFromCrds || isOtherName(before, after) || textMember(member(object, 'metadata'), 'name') === '') return false;
  return entry.isFixed || (isBuiltinGroup(group) && isImmutable(kind, object, entry));
}

// A missing namespace counts as equal to any other.
function isOtherName(a: SideObject, b: SideObject): boolean {
  return a.name !== b.name || (a.namespace !== b.namespace && a.namespace !== '' && b.namespace !== '');
}

function identityOf({ group, version, kind, namespace, name }: SideObject): ObjectName {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, namespace, name };
}

function statusOf(
  { before, after }: ObjectPair,
  { isRenamed, isRefused }: { readonly isRenamed: boolean; readonly isRefused: boolean },
): ObjectStatus {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return isRenamed ? 'renamed' : isRefused ? 'replaced' : 'changed';
}

function builtinKind({ group, kind }: SideObject): string {
  return isBuiltinGroup(group) ? kind : '';
}

const fates = { removed: 'removed', renamed: 'renamed', replaced: 'recreated' } as const;

// Restarts shown by the differences of its objects.
function foundRisks({ before, after }: ObjectPair, status: ObjectStatus): FoundRisk[] {
  const ofWhole = (risk: Risk): FoundRisk => ({ risk, places: [] });
  const risks = after === undefined ? [] : objectRisks(builtinKind(after), before?.object, after.object);
  if (before === undefined || status === 'added') return risks;
  const kind = builtinKind(before);
  if (status !== 'changed') return [...removedRisks({ ...before, kind, fate: fates[status] }).map(ofWhole), ...risks];
  const isInstalledOnce = kind === 'CustomResourceDefinition' && before.isFromCrds && after?.isFromCrds === true;
  return isInstalledOnce ? [...risks, ofWhole('crd-not-updated')] : risks;
}

// Helm deletes a definition that is removed from the templates; an upgrade installs nothing from `crds/`.
function withoutMoves({ before, after }: ObjectPair): ObjectPair[] {
  const isMoved =
    before !== undefined &&
    after?.isFromCrds === true &&
    isFromTemplates(before) &&
    removedRisks({ ...before, kind: builtinKind(before), fate: 'removed' }).includes('crd-removed') &&
    !isHookObject(before.object);
  return isMoved
    ? [
        { before: undefined, after },
        { before, after: undefined },
      ]
    : [{ before, after }];
}

function risksAt({ inside, stepsBefore, stepsAfter }: RawEntry, found: readonly FoundRisk[]): Risk[] {
  if (inside !== undefined) return [];
  const isAbout = (place: Steps): boolean => [stepsBefore, stepsAfter].some((steps) => areOnOnePath(steps, place));
  return found.filter(({ places }) => places.some(isAbout)).map(({ risk }) => risk);
}

function areOnOnePath(a: Steps, b: Steps): boolean {
  return a.slice(0, b.length).every((step, at) => step === b[at]);
}

interface TakenDocuments {
  /** Documents with one object each that are byte for byte the same. */
  readonly same: readonly DiffDocument[];
  readonly rest: { readonly before: readonly DiffDocument[]; readonly after: readonly DiffDocument[] };
}

// Most documents are byte for byte the same and need not be parsed.
function takeSame(before: DiffSide, after: DiffSide): TakenDocuments {
  const [old, now] = [documentsOf(before), documentsOf(after)];
  const keyOf = ({ content, namespace = '', isFromCrds = false }: DiffDocument): string =>
    `${namespace}\n${isFromCrds}\n${content}`;
  const texts: Map<string, DiffDocument[]> = groupBy(old, keyOf);
  const same: DiffDocument[] = [];
  const rest = now.filter((document) => {
    if (!isOneObject(document) || texts.get(keyOf(document))?.shift() === undefined) return true;
    same.push(document);
    return false;
  });
  const left = new Set([...texts.values()].flat());
  return { same, rest: { before: old.filter((document) => left.has(document)), after: rest } };
}

function isOneObject({ content }: SourcedDocument): boolean {
  return /^["']?kind["']?:/m.test(content) && !/^["']?kind["']?:.*List/m.test(content);
}

/** Reports whether anything differs: an object, or a workload whose pods are replaced. */
export function isDifference({
  objects,
  summary,
}: Pick<Difference, 'summary'> & { readonly objects: readonly unknown[] }): boolean {
  return objects.length > 0 || summary.restarts.length > 0;
}

/** Returns a number for each change. */
export function countStatuses(countOf: (status: ObjectStatus) => number): Readonly<Record<ObjectStatus, number>> {
  const counts = objectStatuses.map((status) => [status, countOf(status)] as const);
  return Object.fromEntries(counts) as Record<ObjectStatus, number>;
}

export function summaryOf(
  objects: readonly Pick<ObjectChange, 'status' | 'risks'>[],
  { same, restarts }: Pick<DiffSummary, 'same' | 'restarts'>,
): DiffSummary {
  const count = (status: ObjectStatus): number => objects.filter((object) => object.status === status).length;
  const risks: Partial<Record<Risk, number>> = {};
  for (const risk of objects.flatMap((object) => object.risks)) risks[risk] = (risks[risk] ?? 0) + 1;
  return { ...countStatuses(count), same, risks, restarts };
}

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/**
 * Reports whether the controller of a workload replaces its pods when the pod template changes. It does not for a workload that is paused,
 * scaled to zero or updated on deletion.
 */
function followsTemplate(kind: string, object: GoMap): boolean {
  const spec = member(object, 'spec');
  const strategy = textMember(member(spec, 'updateStrategy'), 'type');
  return (
    workloads.has(kind) &&
    member(spec, 'paused') !== true &&
    member(spec, 'replicas') !== 0 &&
    !(kind !== 'Deployment' && strategy === 'OnDelete')
  );
}

/** Reports whether a member is part of the pod template of a workload. */
export function isInPodTemplate(steps: readonly DiffStep[]): boolean {
  return steps[0] === 'spec' && steps[1] === 'template';
}

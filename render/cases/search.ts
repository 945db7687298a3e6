// Searches for cases: changes the inputs of each branch with an unreached outcome, and keeps what reaches more.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { RenderError } from '../core/errors.ts';
import type { Steps } from '../core/paths.ts';
import type { MeasureOptions } from '../coverage/measure.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import type { DocumentFault, ObjectIssue } from '../validation/objects/document-issues.ts';
import { jsonAtSteps, withValue } from '../values/edit.ts';
import { startsWith } from '../values/paths.ts';
import { CaseWatch, noInputs, type ObservedInputs, type ObservedValue } from './observe.ts';
import { type Outcomes, outcomesOf } from './outcomes.ts';
import {
  dependencyValues,
  type Examples,
  exampleFor,
  examplesOf,
  type ProposedChange,
  type ProposedValue,
  proposalsFor,
} from './proposals.ts';

/** The settings of a case: values and what templates can observe of the cluster. */
export interface CaseSettings {
  readonly values: JsonObject;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly isUpgrade?: boolean;
}

/** Renders the chart. Throws what rendering throws. */
export type RenderCase = (settings: CaseSettings, watch: CaseWatch) => RenderedRelease;

export interface ObjectChecks {
  /** Returns the problems for which a cluster refuses objects of a rendering. */
  readonly faultsOf: (release: RenderedRelease, settings: CaseSettings) => readonly DocumentFault[];
  /** Returns a problem with its template line. */
  readonly issueOf: (fault: DocumentFault, settings: CaseSettings) => ObjectIssue;
  /** Existing cases, by index, that an earlier search generated: they are not validated. */
  readonly generated: ReadonlySet<number>;
}

export interface SearchLimits {
  readonly renderings: number;
  readonly seconds: number;
}

export interface Attempt {
  readonly settings: CaseSettings;
  /** Why it failed; undefined if it succeeded. */
  readonly failure: RenderError | undefined;
  /** Objects that a cluster refuses; empty if they were not validated. */
  readonly rejected: readonly DocumentFault[];
  /** The numbers of the outcomes that it reached, possibly before it failed. */
  readonly reached: ReadonlySet<number>;
  /** The inputs of each site by key. */
  readonly inputs: ReadonlyMap<string, ObservedInputs>;
  readonly merged: JsonObject;
  readonly missing: readonly Steps[];
  /** The last reads, the newest at the end. */
  readonly recent: readonly ObservedValue[];
  /** The inputs of the branches around the failure, the innermost last. */
  readonly around: readonly ObservedInputs[];
}

/** Realistic settings for which the chart fails unintentionally. */
export interface CaseFailure {
  readonly error: RenderError;
  readonly settings: CaseSettings;
}

/** Realistic settings for which the chart renders an object that a cluster refuses. */
export interface Rejection {
  readonly fault: DocumentFault;
  readonly settings: CaseSettings;
}

export interface Found {
  readonly outcomes: Outcomes;
  /** The existing cases, including those that do not render. */
  readonly existing: readonly Attempt[];
  readonly kept: readonly Attempt[];
  readonly failures: readonly CaseFailure[];
  readonly rejections: readonly Rejection[];
  /** The inputs of each site in the last rendering that reached it, by key. */
  readonly inputs: ReadonlyMap<string, ObservedInputs>;
  /** The first failure of a rendering that had reached an outcome before. */
  readonly failing: ReadonlyMap<number, RenderError>;
  readonly renderings: number;
  /** Whether a limit ended it. */
  readonly isCut: boolean;
}

/** The share of the limits for the search; the rest is for reducing its cases. */
const searchShare = 0.75;
/** Maximum number of combined changes for an outcome that no single change reaches. */
const deepest = 3;
const mostTries = 60;
/** Maximum number of renderings after one that fails. */
const mostRepairs = 24;
/** Maximum number of renderings of one level that the next one starts from. */
const widest = 4;

export interface SearchOptions extends MeasureOptions {
  readonly render: RenderCase;
  readonly limits: SearchLimits;
  /** Default: objects are not validated. */
  readonly objects?: ObjectChecks | undefined;
}

export class CaseSearch {
  readonly #chart: Chart;
  readonly #options: SearchOptions;
  readonly #examples: Examples;
  readonly #started = performance.now();
  #share = searchShare;
  #renderings = 0;
  #outcomes: Outcomes | undefined;
  /** The settings that were tried, as texts. */
  readonly #tried = new Set<string>();
  readonly #covered = new Set<number>();
  readonly #kept: Attempt[] = [];
  /** By kind and place. */
  readonly #failures = new Map<string, CaseFailure>();
  /** By kind, template and field. */
  readonly #rejections = new Map<string, Rejection>();
  readonly #failing = new Map<number, RenderError>();
  readonly #inputs = new Map<string, ObservedInputs>();
  /** Changes that are not in the chart, by text. */
  readonly #madeUp = new Map<string, ProposedValue>();

  constructor(chart: Chart, options: SearchOptions) {
    this.#chart = chart;
    this.#options = options;
    this.#examples = examplesOf(chart);
  }

  /** Runs the search from existing cases and from the chart's defaults. */
  run(given: readonly CaseSettings[]): Found {
    const { objects } = this.#options;
    const all = given.map((settings, at) =>
      this.attempt(settings, { isChecked: objects?.generated.has(at) === false }),
    );
    const existing = all.filter(succeeded);
    for (const { reached } of existing) for (const at of reached) this.#covered.add(at);
    const defaults = this.attempt({ values: {} }, { isChecked: true });
    for (const attempt of [defaults, ...existing]) this.#noteRejections(attempt);
    const start = succeeded(defaults) ? defaults : existing.length === 0 ? this.#repair(defaults) : undefined;
    if (start !== undefined) this.#keep(start);
    for (const values of this.#options.subcharts ? dependencyValues(this.#chart) : []) {
      const attempt = this.isOver ? undefined : this.attempt({ values });
      if (attempt !== undefined && succeeded(attempt)) this.#keep(attempt);
    }
    while (!this.isOver && this.#round(existing));
    const isCut = this.isOver;
    this.#share = 1;
    return {
      outcomes: this.#known,
      existing: all,
      kept: this.#kept,
      failures: [...this.#failures.values()],
      rejections: [...this.#rejections.values()],
      inputs: this.#inputs,
      failing: this.#failing,
      renderings: this.#renderings,
      isCut,
    };
  }

  get isOver(): boolean {
    const { renderings, seconds } = this.#options.limits;
    const isLate = performance.now() - this.#started >= seconds * 1000 * this.#share;
    return isLate || this.#renderings >= renderings * this.#share;
  }

  /** Renders the chart once. `isChecked`: also validates its objects, which may double the time. Default false. */
  attempt(settings: CaseSettings, { isChecked = false }: { readonly isChecked?: boolean } = {}): Attempt {
    this.#renderings++;
    this.#tried.add(JSON.stringify(settings));
    const watch = new CaseWatch();
    const { render, objects } = this.#options;
    let rejected: readonly DocumentFault[] = [];
    const failure = failureOf(() => {
      const release = render(settings, watch);
      if (isChecked && objects !== undefined) rejected = objects.faultsOf(release, settings);
    });
    const reached = this.#known.reached(watch.runs);
    const inputs = this.#inputsIn(watch);
    if (failure === undefined) for (const [key, own] of inputs) this.#inputs.set(key, own);
    else for (const at of reached) if (!this.#failing.has(at)) this.#failing.set(at, failure);
    const { recent, around } = watch;
    const merged = plainValue(watch.values) as JsonObject;
    const missing = [...watch.missing.values()];
    return { settings, failure, rejected, reached, inputs, merged, missing, recent, around };
  }

  /** Reports whether settings contain a value that the search made up. */
  isMadeUp(settings: CaseSettings): boolean {
    return this.#madeUpIn(settings).length > 0;
  }

  /** Reports whether settings contain an unrealistic value, such as one of another type than its default. */
  isUnlikely(settings: CaseSettings): boolean {
    return this.#madeUpIn(settings).some(({ likelihood }) => likelihood === 'unlikely');
  }

  #madeUpIn({ values }: CaseSettings): ProposedValue[] {
    return [...this.#madeUp.values()].filter(
      ({ path, value }) => JSON.stringify(jsonAtSteps(values, path)) === JSON.stringify(value),
    );
  }

  // Known after a rendering has parsed the files.
  get #known(): Outcomes {
    this.#outcomes ??= outcomesOf(this.#chart, this.#options);
    return this.#outcomes;
  }

  #inputsIn(watch: CaseWatch): Map<string, ObservedInputs> {
    const inputs = new Map<string, ObservedInputs>();
    for (const [site, { source, inputs: own }] of watch.sites) {
      const key = this.#known.keyOf(site, source);
      if (key !== undefined) inputs.set(key, own);
    }
    return inputs;
  }

  // Tries each unreached outcome once. Returns whether that reached more.
  #round(existing: readonly Attempt[]): boolean {
    const before = this.#covered.size;
    const { length } = this.#known.list;
    for (let at = 0; at < length && !this.isOver; at++) if (!this.#covered.has(at)) this.#reach(at, existing);
    return this.#covered.size > before;
  }

  #reach(outcome: number, existing: readonly Attempt[]): void {
    const key = this.#known.siteOf(outcome);
    const bases = [...this.#kept.toReversed(), ...existing].filter(({ inputs }) => inputs.has(key));
    const budget = { left: mostTries };
    // Starting points with the same inputs have the same result.
    const looked = new Set<string>();
    for (const base of bases) {
      const look = [...base.inputs.get(key)!.values].map(([path, { value }]) => `${path}=${String(value)}`).join();
      if (looked.has(look)) continue;
      looked.add(look);
      let level = [base];
      for (let depth = 0; depth < deepest && level.length > 0; depth++) {
        level = level.flatMap((from) => this.#changed(from, { key, outcome, budget })).slice(0, widest);
        if (this.#covered.has(outcome)) return;
      }
    }
  }

  // Tries all changes of a site's inputs. Returns the renderings in which the site had more inputs than before.
  #changed(from: Attempt, { key, outcome, budget }: Target): Attempt[] {
    const further: Attempt[] = [];
    const inputs = from.inputs.get(key)!;
    for (const change of proposalsFor(inputs, this.#examples)) {
      if (this.#covered.has(outcome) || this.isOver || budget.left-- <= 0) return further;
      const attempt = this.#change(from, change, outcome);
      if (attempt === undefined) continue;
      this.#keep(attempt);
      if (looksFurther(attempt.inputs.get(key), inputs)) further.push(attempt);
    }
    return further;
  }

  // Renders a case with one change. Undefined if it fails and cannot be repaired, or was tried before.
  #change(base: Attempt, change: ProposedChange, outcome: number): Attempt | undefined {
    const settings = withChange(base.settings, change, base.merged);
    if (settings === undefined || this.#tried.has(JSON.stringify(settings))) return undefined;
    const likelihood = change.kind === 'value' ? change.likelihood : 'stated';
    const attempt = this.attempt(settings, { isChecked: likelihood === 'stated' });
    this.#note(change);
    if (likelihood !== 'unlikely') this.#noteFailure(attempt);
    this.#noteRejections(attempt);
    if (!succeeded(attempt)) {
      return attempt.reached.has(outcome) ? this.#repair(attempt, { change, outcome }) : undefined;
    }
    return change.kind !== 'value' || likelihood !== 'unlikely' ? attempt : this.#filled(attempt, change.path, outcome);
  }

  // Records changes that are not in the chart.
  #note(change: ProposedChange): void {
    if (change.kind === 'value' && change.likelihood !== 'stated') this.#madeUp.set(JSON.stringify(change), change);
  }

  #noteFailure({ failure, settings }: Attempt): void {
    if (failure === undefined || isRefusal(failure)) return;
    const key = failureKey(failure);
    if (!this.#failures.has(key)) this.#failures.set(key, { error: failure, settings });
  }

  #noteRejections({ rejected, settings, inputs }: Attempt): void {
    const groups = new Set([...inputs.values()].flatMap(({ apiVersions }) => [...apiVersions].map(groupOf)));
    for (const fault of rejected) {
      const key = rejectionKey(fault);
      const known = this.#rejections.get(key);
      // Templates that check which APIs of a group exist select another one on a cluster.
      if (fault.fault.kind === 'gone' && groups.has(groupOf(fault.apiVersion))) continue;
      if (known === undefined || (this.isMadeUp(known.settings) && !this.isMadeUp(settings)))
        this.#rejections.set(key, { fault, settings });
    }
  }

  #keep(attempt: Attempt): void {
    const news = [...attempt.reached].filter((at) => !this.#covered.has(at));
    if (news.length === 0) return;
    for (const at of news) this.#covered.add(at);
    this.#kept.push(attempt);
  }

  // Adds fields that the templates miss in a made-up value.
  #filled(attempt: Attempt, path: Steps, outcome: number): Attempt {
    const missing = attempt.missing.filter((one) => one.length > path.length && startsWith(one, path));
    if (missing.length === 0 || this.isOver) return attempt;
    const values = missing.reduce((all, one) => {
      const value = exampleFor(String(one.at(-1)));
      this.#note({ kind: 'value', path: one, value, likelihood: 'unlikely' });
      return withValue(all, one, value, attempt.merged);
    }, attempt.settings.values);
    const filled = this.attempt({ ...attempt.settings, values });
    const isWorse = attempt.reached.has(outcome) && !filled.reached.has(outcome);
    return succeeded(filled) && !isWorse ? filled : attempt;
  }

  // Sets the values that a failed rendering read last until one succeeds: `required` needs a value, one field needs another.
  #repair(failed: Attempt, { change: kept, outcome }: Repair = {}): Attempt | undefined {
    let left = mostRepairs;
    let level = [failed];
    while (level.length > 0) {
      const next: Attempt[] = [];
      for (const from of level) {
        for (const change of this.#repairsOf(from)) {
          const settings = undoes(change, kept) ? undefined : withChange(from.settings, change, from.merged);
          if (settings === undefined || this.#tried.has(JSON.stringify(settings))) continue;
          if (left-- <= 0 || this.isOver) return undefined;
          this.#note(change);
          const attempt = this.attempt(settings);
          if (!succeeded(attempt)) {
            if (attempt.failure?.message !== from.failure?.message) next.push(attempt);
          } else if (outcome === undefined || attempt.reached.has(outcome)) return attempt;
        }
      }
      level = next.slice(0, widest);
    }
    return undefined;
  }

  #repairsOf({ recent, around, failure }: Attempt): ProposedChange[] {
    const [, field] = missingField.exec(failure?.message ?? '') ?? [];
    const last = recent.at(-1);
    if (field !== undefined && last !== undefined) {
      return [{ kind: 'value', path: [...last.path, field], value: exampleFor(field), likelihood: 'unlikely' }];
    }
    const read = recent.toReversed().slice(0, 4);
    const alone = read.map((one) => ({ ...noInputs(), values: new Map([['', one]]) }));
    return [...around.slice(-2).reverse(), ...alone].flatMap((inputs) =>
      proposalsFor(inputs, this.#examples).slice(0, 8),
    );
  }
}

interface Target {
  /** The site of the outcome. */
  readonly key: string;
  readonly outcome: number;
  readonly budget: { left: number };
}

/** What a repair must preserve. Default: nothing. */
interface Repair {
  /** Changes that must not be undone. */
  readonly change?: ProposedChange;
  /** Outcomes that must remain reached. */
  readonly outcome?: number;
}

/** A template read a field of a value without fields. */
const missingField = /(?:nil pointer evaluating interface \{\}\.|can't evaluate field )(\w+)/;

function succeeded({ failure }: Attempt): boolean {
  return failure === undefined;
}

/** Returns why a rendering fails; undefined if it does not. */
export function failureOf(render: () => unknown): RenderError | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

function undoes(change: ProposedChange, kept: ProposedChange | undefined): boolean {
  if (change.kind !== 'value' || change.value === null) return true;
  return kept?.kind === 'value' && startsWith(kept.path, change.path);
}

function looksFurther(now: ObservedInputs | undefined, before: ObservedInputs): boolean {
  return now !== undefined && [...now.values.keys()].some((path) => !before.values.has(path));
}

/** Returns settings with a change; undefined if it has no effect. */
function withChange(settings: CaseSettings, change: ProposedChange, merged: JsonValue): CaseSettings | undefined {
  const { kubeVersion, apiVersions = [], isUpgrade } = settings;
  switch (change.kind) {
    case 'value':
      return { ...settings, values: withValue(settings.values, change.path, change.value, merged) };
    case 'kubeVersion':
      return kubeVersion === change.version ? undefined : { ...settings, kubeVersion: change.version };
    case 'apiVersion':
      return apiVersions.includes(change.name)
        ? undefined
        : { ...settings, apiVersions: [...apiVersions, change.name] };
    case 'upgrade':
      return isUpgrade === true ? undefined : { ...settings, isUpgrade: true };
  }
}

/** Returns the same text for failures of one kind at one place. */
export function failureKey({ code, place, message }: RenderError): string {
  return `${code} ${place === undefined ? message : `${place.file}:${place.line}`}`;
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/', 1)[0] ?? '';
}

/** Returns the same text for problems of one kind in one field of the objects of one template. */
export function rejectionKey({ document, fault: { kind, steps } }: DocumentFault): string {
  return [document.path, kind, ...steps.filter((step) => typeof step === 'string')].join(' ');
}

// Charts refuse values deliberately with `fail`, `required` and their schemas, and Kubernetes versions with their metadata.
function isRefusal({ code, message }: RenderError): boolean {
  return (
    code === 'VALUES_INVALID' ||
    /^execution error at |error calling (fail|required)\b|^chart requires kubeVersion: /.test(message)
  );
}

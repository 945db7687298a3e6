// An Order as text, and edits by the page that preserve comments and order.

import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { helmYaml } from '../../../render/codec/yaml/document-options.ts';
import { splitPath } from '../../../render/core/paths.ts';
import type { DefaultChange, ValueChange } from '../../../render/index.ts';

/** A package in the list. Missing members are empty. */
export interface OrderPackage {
  readonly chart: string;
  readonly version: string;
  readonly release: string;
  readonly namespace: string;
  readonly source: { readonly kind: string; readonly name: string; readonly namespace: string };
  readonly values: string;
  readonly patch: string;
}

/** A parsed Order, as far as possible. */
export interface OrderView {
  readonly name: string;
  readonly kubeVersion: string;
  readonly packages: readonly OrderPackage[];
  /** Why it cannot be parsed: then the packages are those that could be. */
  readonly fault: string | undefined;
}

export interface NewPackage {
  readonly chart: string;
  readonly version: string;
  readonly sourceRef: Readonly<Record<string, string>>;
}

export const emptyOrder = `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata:
  name: my-order
spec:
  packages: []
`;

// An alias may precede its anchor, or be without one, as in the values of one package: the rendering reports that.
const print = { lineWidth: 0, indentSeq: true, verifyAliasOrder: false } as const;

/** Parses an Order. Never fails. */
export function readOrderView(text: string): OrderView {
  try {
    return viewOf(text);
  } catch (failure) {
    if (!(failure instanceof Error && endOfStack.test(failure.message))) throw failure;
    return { name: '', kubeVersion: '', packages: [], fault: tooDeep };
  }
}

// The library is recursive, and the engine allows deeper nesting than fits on the stack.
const endOfStack = /^(?:Maximum call stack|too much recursion)/;
const tooDeep = 'It nests too deep for this form: write it as text.';

function viewOf(text: string): OrderView {
  const document = parseDocument(text, helmYaml);
  const fault = document.errors[0]?.message.split('\n')[0];
  const packages = listOf(document)?.items ?? [];
  return {
    name: wordOf(document.getIn(['metadata', 'name'])),
    kubeVersion: wordOf(document.getIn(['spec', 'kubeVersion'])),
    packages: packages.map(packageOf),
    fault: fault !== undefined && endOfStack.test(fault) ? tooDeep : fault,
  };
}

/** Returns the Order with an additional package, whose release is named after the chart. */
export function addPackage(text: string, { chart, version, sourceRef }: NewPackage): string {
  const { packages } = readOrderView(text);
  const taken = new Set(packages.map(({ release }) => release));
  let releaseName = chart;
  for (let number = 2; taken.has(releaseName); number++) releaseName = `${chart}-${number}`;
  const selection = {
    name: chart,
    sourceRef,
    version,
    releaseName,
    namespace: packages.at(-1)?.namespace || 'default',
  };
  return change(text, (document) => {
    if (!listOf(document)) putIn(document, ['spec', 'packages'], document.createNode([]));
    const list = listOf(document);
    if (list) list.flow = false;
    list?.items.push(document.createNode({ chart: selection }));
  });
}

export function removePackage(text: string, index: number): string {
  return change(text, (document) => void listOf(document)?.items.splice(index, 1));
}

/**
 * Returns the Order with the lines of a package commented out, so that line numbers are preserved. Undefined if that changes the other
 * packages, as in flow style.
 */
export function commentOut(text: string, index: number): string | undefined {
  const document = parseDocument(text, helmYaml);
  const item = listOf(document)?.items[index];
  if (document.errors.length > 0 || !isNode(item) || !item.range) return undefined;
  const [start, , end] = item.range;
  const first = text.slice(0, start).split('\n').length - 1;
  const last = text.slice(0, end).trimEnd().split('\n').length - 1;
  const lines = text.split('\n').map((line, at) => (at >= first && at <= last ? `#${line}` : line));
  const left = lines.join('\n');
  const { packages, fault } = readOrderView(left);
  const wanted = readOrderView(text).packages.filter((_, at) => at !== index);
  return fault === undefined && JSON.stringify(packages) === JSON.stringify(wanted) ? left : undefined;
}

export function movePackage(text: string, index: number, to: number): string {
  return change(text, (document) => {
    const items = listOf(document)?.items;
    if (!items || to < 0 || to >= items.length) return;
    items.splice(to, 0, ...items.splice(index, 1));
  });
}

export function setMember(text: string, index: number, { name, value }: Record<'name' | 'value', string>): string {
  return change(text, (document) => mapOf(document, index)?.set(name, value));
}

/** Returns the Order with another version of the chart of a package. A chart in its own folder is referenced by that folder. */
export function setVersion(
  text: string,
  index: number,
  { version, sourceRef }: Pick<NewPackage, 'version'> & Partial<NewPackage>,
): string {
  return change(text, (document) => {
    const chart = mapOf(document, index);
    chart?.set('version', version);
    if (sourceRef?.kind === 'Local') chart?.set('sourceRef', document.createNode(sourceRef));
  });
}

/** Returns the Order with a text at a path, such as its name; without that member if the text is empty. */
export function setText(text: string, path: readonly string[], value: string): string {
  return change(text, (document) => {
    if (value !== '') putIn(document, path, value);
    else if (document.hasIn(path)) document.deleteIn(path);
  });
}

/** Returns the Order for another Kubernetes version; for the newest known one if it is empty. */
export function setKubeVersion(text: string, version: string): string {
  return setText(text, ['spec', 'kubeVersion'], version);
}

export type PackagePart = 'values' | 'valuesPatch';

/** Returns the Order with other values, or another patch, of a package; `text` is YAML. Returns the reason if that is impossible. */
export function setPart(
  order: string,
  index: number,
  { name, text }: { readonly name: PackagePart; readonly text: string },
): { readonly text: string } | { readonly fault: string } {
  const { errors, contents } = parseDocument(text, helmYaml);
  const [error] = errors;
  if (error) return { fault: error.message.split('\n')[0] ?? error.message };
  if (contents !== null && name === 'values' && !isMap(contents)) {
    return { fault: 'Values are a map: write `name: value` in each line.' };
  }
  if (contents !== null && name === 'valuesPatch' && !isSeq(contents)) {
    return { fault: 'A patch is a list: write `- {op: replace, path: /name, value: 1}` in each line.' };
  }
  const changed = change(order, (document) => {
    const chart = mapOf(document, index);
    openUp(document, index);
    if (contents === null) chart?.delete(name);
    else chart?.set(name, contents);
  });
  return { text: changed };
}

/** Returns the Order with a value of a package set; undefined removes it, with maps that become empty. */
export function setValueAt(
  text: string,
  index: number,
  { path, value }: { readonly path: readonly string[]; readonly value: unknown },
): string {
  return change(text, (document) => {
    const chart = mapOf(document, index);
    if (!chart) return;
    openUp(document, index);
    const steps = ['values', ...path];
    copyShared(document, chart, steps);
    if (value !== undefined) putIn(chart, steps, document.createNode(value));
    else removeIn(chart, steps);
  });
}

// A map that a package shares by an alias becomes a copy of its own, so that the others keep theirs.
function copyShared(document: Document.Parsed, chart: YAMLMap, steps: readonly string[]): void {
  for (let end = 1; end < steps.length; end++) {
    const node = chart.getIn(steps.slice(0, end), true);
    const shared = isAlias(node) ? node.resolve(document) : undefined;
    if (!isMap(shared)) continue;
    const own = shared.clone();
    if (isMap(own)) visit(own, { Value: (_, inner) => void delete inner.anchor });
    chart.setIn(steps.slice(0, end), own);
  }
}

// Also removes maps that become empty.
function removeIn(chart: YAMLMap, steps: readonly string[]): void {
  for (let end = chart.hasIn(steps) ? steps.length : 0; end > 0; end--) {
    const node = chart.getIn(steps.slice(0, end), true);
    if (end === steps.length || (isMap(node) && node.items.length === 0)) chart.deleteIn(steps.slice(0, end));
  }
}

/** Returns the Order with a value of a package at another path, with its comments; within the same map it keeps its position. */
function moveValue(
  text: string,
  index: number,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): string {
  return change(text, (document) => {
    const chart = mapOf(document, index);
    const map = chart?.getIn(['values', ...from.slice(0, -1)], true);
    const pair = isMap(map)
      ? map.items.find(({ key }) => String(isScalar(key) ? key.value : key) === from.at(-1))
      : undefined;
    if (!chart || !pair) return;
    if (from.length === to.length && from.slice(0, -1).every((step, at) => step === to[at])) {
      if (isScalar(pair.key)) pair.key.value = to.at(-1);
      return;
    }
    openUp(document, index);
    removeIn(chart, ['values', ...from]);
    putIn(chart, ['values', ...to], pair.value);
  });
}

/** Reports whether two values texts have the same meaning. */
export function sameValues(a: string, b: string): boolean {
  const plain = (text: string): string => JSON.stringify(parseDocument(text, helmYaml).toJS() ?? {});
  try {
    return a === b || plain(a) === plain(b);
  } catch {
    return false;
  }
}

/** Returns the Order as JSON, for the API. Throws if it is not valid YAML. */
export function orderJson(text: string): unknown {
  const document = parseDocument(text, helmYaml);
  const [error] = document.errors;
  if (error) throw new Error(error.message.split('\n')[0]);
  return document.toJS({ maxAliasCount: 100 });
}

/** Formats a stored Order as text for editing. */
export function orderText(order: unknown): string {
  return new Document(order, helmYaml).toString(print);
}

// A parent that is not a map is replaced by one.
function putIn(map: YAMLMap | Document.Parsed, steps: readonly string[], node: unknown): void {
  for (let end = 1; end < steps.length; end++) {
    const part = steps.slice(0, end);
    if (!isMap(map.getIn(part, true))) map.setIn(part, new YAMLMap());
    const inner = map.getIn(part, true);
    if (isMap(inner)) inner.flow = false;
  }
  map.setIn(steps, node);
}

// Invalid YAML, or a text that is not a map, is left unchanged, because it is still being edited.
function change(text: string, edit: (document: Document.Parsed) => void): string {
  const document = parseDocument(text, helmYaml);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return text;
  edit(document);
  return document.toString(print);
}

function listOf(document: Document.Parsed): YAMLSeq | undefined {
  for (const name of ['packages', 'items']) {
    const list = document.getIn(['spec', name], true);
    if (isSeq(list)) return list;
  }
  return undefined;
}

function mapOf(document: Document.Parsed, index: number): YAMLMap | undefined {
  return chartOf(listOf(document)?.items[index]);
}

function chartOf(item: unknown): YAMLMap | undefined {
  const chart = isMap(item) ? item.get('chart', true) : undefined;
  return isMap(chart) ? chart : undefined;
}

// Flow style has no room for comments or block style.
function openUp(document: Document.Parsed, index: number): void {
  const list = listOf(document);
  for (const node of [list, list?.items[index], mapOf(document, index)]) if (isCollection(node)) node.flow = false;
}

function packageOf(item: unknown): OrderPackage {
  const chart = chartOf(item);
  const word = (path: readonly string[]): string => wordOf(chart?.getIn(path));
  return {
    chart: word(['name']),
    version: word(['version']),
    release: word(['releaseName']),
    namespace: word(['namespace']),
    source: {
      kind: word(['sourceRef', 'kind']),
      name: word(['sourceRef', 'name']) || word(['url']),
      namespace: word(['sourceRef', 'namespace']),
    },
    values: textOf(chart?.get('values', true)),
    patch: textOf(chart?.get('valuesPatch', true)),
  };
}

function textOf(node: unknown): string {
  if (!isNode(node) || (isCollection(node) && node.items.length === 0)) return '';
  const document = new Document(null, helmYaml);
  const own = node.clone();
  if (isCollection(own)) own.flow = false;
  document.contents = own as never;
  return document.toString(print);
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export interface UpgradeResult {
  readonly values: readonly ValueChange[];
  readonly defaults: readonly DefaultChange[];
  readonly failureBefore?: string;
  readonly failureAfter?: string;
}

export interface Upgrade {
  /** In the Order, from 0. */
  readonly index: number;
  readonly chart: NewPackage;
  readonly report: UpgradeResult;
}

/**
 * Returns the Order with the other version: moved values are moved, values that only the old version reads, or of another type, are
 * removed.
 */
export function upgradedOrder(text: string, { index, chart, report }: Upgrade): string {
  let upgraded = setVersion(text, index, chart);
  // Values of a patch stay, because it has its own paths.
  if (readOrderView(text).packages[index]?.values === '') return upgraded;
  for (const { path, kind, to } of report.values) {
    const from = splitPath(path);
    if (to !== undefined) upgraded = moveValue(upgraded, index, { from, to: splitPath(to) });
    else if (kind !== 'unused') upgraded = setValueAt(upgraded, index, { path: from, value: undefined });
  }
  return upgraded;
}

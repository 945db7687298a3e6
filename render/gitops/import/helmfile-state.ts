// Loads a helmfile: renders its parts in sequence, with their bases, environments and values; and the values of its releases.

import { lazy } from '../../core/lazy.ts';
import { limitIn } from '../../core/limits.ts';
import { compileGlob } from '../../go/glob.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { TemplateExecError, TemplateParseError } from '../../template/failures.ts';
import { helmfileFuncs, templateValue } from './helmfile-functions.ts';
import {
  isEncrypted,
  listAt,
  type Notes,
  objectAt,
  objectsAt,
  overlay,
  parseYamlAs,
  textAt,
  textsAt,
  unread,
  valuesOfText,
  withSet,
} from './members.ts';
import { renderTemplate } from './templating.ts';
import { type FileTree, filesBelow, folderOf, resolvePath } from './tree.ts';

// Mirrors: helmfile, pkg/app/desired_state_file_loader.go; pkg/state/create.go, v1.1; pkg/app/two_pass_renderer.go, v0.171.

export interface HelmfileContext {
  readonly tree: FileTree;
  /** The environment; `default` if none is requested. */
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HelmfileState {
  readonly context: HelmfileContext;
  readonly file: string;
  readonly folder: string;
  readonly document: JsonObject;
  /** The values of the environment, merged over the defaults. */
  readonly values: JsonObject;
  /** What is unknown of the environment, such as encrypted files. */
  readonly unknown: readonly string[];
}

export class HelmfileError extends Error {
  readonly file: string;
  readonly line: number | undefined;

  constructor(file: string, message: string, line?: number) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

interface Surroundings {
  readonly context: HelmfileContext;
  /** Values from the parent helmfile, which override its own. */
  readonly given: JsonObject;
  readonly isBase: boolean;
  /** The base of relative paths: the folder of the helmfile, also for its bases. */
  readonly folder: string;
  readonly unknown: Set<string>;
}

interface Reached {
  readonly document: JsonObject;
  readonly values: JsonObject;
}

/** Loads a helmfile. `given` are values set by its parent. Throws HelmfileError. */
export function loadHelmfile(file: string, context: HelmfileContext, given: JsonObject = {}): HelmfileState {
  const [folder, unknown] = [folderOf(file), new Set<string>()];
  const { document, values } = load(file, { context, given, isBase: false, folder, unknown });
  const environments = objectAt(document, 'environments');
  const { environment } = context;
  if (Object.keys(environments).length > 0 && environment !== 'default' && !Object.hasOwn(environments, environment)) {
    throw new HelmfileError(
      file,
      `the environment ${environment} is not defined; there are ${Object.keys(environments).join(', ')}`,
    );
  }
  return { context, file, folder, document, values: overlay(values, given), unknown: [...unknown] };
}

function load(file: string, around: Surroundings): Reached {
  const text = around.context.tree.read(file);
  if (text === undefined) throw new HelmfileError(file, 'there is no such file');
  let reached: Reached = { document: {}, values: {} };
  let line = 0;
  for (const part of text.replaceAll('\r\n', '\n').split(/\n---\n/)) {
    reached = loadPart({ file, text: part, line }, reached, around);
    line += part.split('\n').length + 1;
  }
  return reached;
}

interface Part {
  readonly file: string;
  readonly text: string;
  /** Number of preceding lines of the file. */
  readonly line: number;
}

function loadPart(part: Part, before: Reached, around: Surroundings): Reached {
  const { file, text } = part;
  let { values } = before;
  // Like helmfile before 1.0: a first pass finds the environments of the part itself.
  if (!file.endsWith('.gotmpl') && text.includes('{{') && /^(?:environments|bases|values):/m.test(text)) {
    const first = firstPass(part, values, around);
    if (first !== undefined) values = reach(first, before, { ...around, file }).values;
  }
  const isTemplate = file.endsWith('.gotmpl') || text.includes('{{');
  const own = parsed(part, isTemplate ? rendered(part, values, { ...around, missingKey: 'error' }) : text);
  return reach(own, before, { ...around, file });
}

function firstPass(part: Part, values: JsonObject, around: Surroundings): JsonObject | undefined {
  // The head, before the releases, may have no templates.
  const head = part.text.split(/^(?:releases|templates|helmfiles|repositories):/m)[0] ?? '';
  for (const text of [part.text, head]) {
    try {
      return parsed(part, rendered({ ...part, text }, values, { ...around, missingKey: 'zero' }));
    } catch (error) {
      if (!(error instanceof HelmfileError)) throw error;
    }
  }
  return undefined;
}

function rendered(
  { file, text, line }: Part,
  values: JsonObject,
  { context, given, folder, missingKey }: Surroundings & { readonly missingKey: 'error' | 'zero' },
): string {
  const data = templateValue(environmentData(context.environment, overlay(values, given)));
  return createRenderer(context, folder)({ name: file, file, text, line }, data, missingKey);
}

/** Renders a text of a helmfile. Throws HelmfileError. */
type Renderer = (part: Part & { readonly name: string }, data: GoValue, missingKey?: 'error' | 'zero') => string;

export function createRenderer({ tree, env }: HelmfileContext, folder: string): Renderer {
  const funcs = lazy(() => helmfileFuncs({ tree, folder, env }));
  return ({ name, file, text, line }, data, missingKey = 'error') => {
    if (!text.includes('{{')) return text;
    try {
      return renderTemplate({ name, text }, data, { funcs: funcs(), missingKey });
    } catch (error) {
      throw asHelmfileError(error, file, line);
    }
  };
}

function environmentData(environment: string, values: JsonObject): JsonObject {
  return {
    Environment: { Name: environment, KubeContext: '', Values: values },
    Values: values,
    StateValues: values,
    Namespace: '',
    KubeContext: '',
  };
}

// Converts an error of a template or of YAML to one of the file. Rethrows other errors.
function asHelmfileError(error: unknown, file: string, line: number): HelmfileError {
  if (!(error instanceof GoError)) throw limitIn(file, error);
  const hasPlace = error instanceof TemplateExecError || error instanceof TemplateParseError;
  const reason = hasPlace ? error.reason : error.message;
  return new HelmfileError(file, reason, error.place.line === undefined ? undefined : line + error.place.line);
}

function parsed({ file, line }: Part, text: string): JsonObject {
  try {
    const value = parseYamlAs(text, '1.2');
    if (value === null) return {};
    if (isObject(value)) return value;
  } catch (error) {
    throw asHelmfileError(error, file, line);
  }
  throw new HelmfileError(file, 'is not a YAML mapping');
}

// Adds a part and its bases to what is before it. Lists of bases are concatenated, maps merged; otherwise a later part replaces an earlier one.
function reach(own: JsonObject, before: Reached, around: Surroundings & { readonly file: string }): Reached {
  let document: JsonObject = {};
  let values: JsonObject = {};
  for (const base of around.isBase ? [] : textsAt(own, 'bases')) {
    const path = resolvePath(around.folder, base);
    if (path === undefined || /^[a-z]+::|^https?:/.test(base))
      throw new HelmfileError(around.file, `the base ${base} is not in the repository`);
    const loaded = load(path, { ...around, given: overlay(before.values, around.given), isBase: true });
    document = merge(document, loaded.document, true);
    values = overlay(values, loaded.values);
  }
  const whole = merge(before.document, merge(document, own, true), false);
  return { document: whole, values: environmentValues(whole, overlay(before.values, values), around) };
}

function merge(under: JsonObject, over: JsonObject, joinsLists: boolean): JsonObject {
  const merged: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    if (isObject(below) && isObject(value)) merged[key] = merge(below, value, joinsLists);
    else if (Array.isArray(below) && Array.isArray(value))
      merged[key] = joinsLists ? [...below, ...value] : value.length === 0 ? below : value;
    else if (value !== null && value !== '') merged[key] = value;
  }
  return merged;
}

// The default values of a state, with those of its environment merged over them.
function environmentValues(
  document: JsonObject,
  before: JsonObject,
  around: Surroundings & { readonly file: string },
): JsonObject {
  const { environment } = around.context;
  const spec = objectAt(objectAt(document, 'environments'), environment);
  for (const path of textsAt(spec, 'secrets'))
    around.unknown.add(`environments.${environment}.secrets: ${path} is encrypted`);
  const handler = textAt(spec, 'missingFileHandler') || textAt(document, 'missingFileHandler') || 'Error';
  const reading = { ...around, isRequired: handler === 'Error' };
  const defaults = overlay(readEntries(listAt(document, 'values'), before, reading), before);
  return overlay(defaults, readEntries(listAt(spec, 'values'), defaults, reading));
}

function readEntries(
  entries: readonly JsonValue[],
  seen: JsonObject,
  around: Surroundings & { readonly file: string; readonly isRequired: boolean },
): JsonObject {
  const { tree } = around.context;
  let values: JsonObject = {};
  for (const entry of entries) {
    if (isObject(entry)) values = overlay(values, entry);
    if (typeof entry !== 'string') continue;
    const paths = expand(tree, around.folder, entry);
    if (paths.length === 0 && around.isRequired)
      throw new HelmfileError(around.file, `there is no environment values file ${entry}`);
    for (const path of paths) {
      const part = { file: path, text: tree.read(path) ?? '', line: 0 };
      const text = path.endsWith('.gotmpl') ? rendered(part, seen, { ...around, missingKey: 'error' }) : part.text;
      values = overlay(values, parsed(part, text));
    }
  }
  return values;
}

export function expand(tree: FileTree, folder: string, path: string): string[] {
  const found = resolvePath(folder, path);
  if (found === undefined || /^[a-z0-9+]+::|^(?:https?|s3):/.test(path)) return [];
  if (tree.read(found) !== undefined) return [found];
  if (!/[*?[{]/.test(found)) return [];
  const fixed = found.slice(0, found.search(/[*?[{]/));
  const matches = compileGlob(found);
  return filesBelow(tree, folderOf(fixed)).filter((file) => matches(file));
}

/** Reports whether a document is a helmfile: it has no API version, and a member that only helmfiles have. */
export function isHelmfile(document: JsonObject): boolean {
  const names = ['releases', 'helmfiles', 'helmDefaults', 'bases', 'environments', 'repositories', 'templates'];
  return (
    document.apiVersion === undefined &&
    document.kind === undefined &&
    unread(document, []).some((name) => names.includes(name))
  );
}

// Mirrors: helmfile, pkg/state/state.go, `generateVanillaValuesFiles`, `setFlags`, v1.1.

export interface ReleaseReading {
  readonly state: HelmfileState;
  readonly path: string;
}

export function releaseData(release: JsonObject, state: HelmfileState): GoValue {
  const [name, namespace, chart] = [textAt(release, 'name'), textAt(release, 'namespace'), textAt(release, 'chart')];
  const labels = { ...objectAt(release, 'labels'), ...objectAt(state.document, 'commonLabels') };
  const own = {
    Name: name,
    Namespace: namespace,
    Chart: chart,
    ChartVersion: textAt(release, 'version'),
    Labels: labels,
    KubeContext: textAt(release, 'kubeContext'),
  };
  return templateValue({
    ...environmentData(state.context.environment, state.values),
    Release: own,
    Namespace: textAt(state.document, 'namespace'),
    Chart: '',
  });
}

export function releaseValues(release: JsonObject, reading: ReleaseReading, notes: Notes): JsonObject {
  const { path } = reading;
  let values: JsonObject = {};
  listAt(release, 'values').forEach((entry, index) => {
    const at = `${path}.values[${index}]`;
    const layer = isObject(entry) ? entry : readValuesFile(String(entry), release, { ...reading, notes, at });
    if (/"ref\+[a-z]/.test(JSON.stringify(layer)))
      notes.add(at, 'holds references to a secret store (ref+…), which stay as they are');
    values = overlay(values, layer);
  });
  textsAt(release, 'secrets').forEach((file, index) => {
    const text = reading.state.context.tree.read(resolvePath(reading.state.folder, file) ?? '');
    const plain = text === undefined ? undefined : valuesOfText(text);
    if (plain === undefined || isEncrypted(plain))
      notes.add(`${path}.secrets[${index}]`, `${file} is encrypted: its values are left out`);
    else values = overlay(values, plain);
  });
  return withSets(release, values, { path, notes });
}

function withSets(
  release: JsonObject,
  given: JsonObject,
  { path, notes }: { readonly path: string; readonly notes: Notes },
): JsonObject {
  let values = given;
  for (const key of ['set', 'setString']) {
    objectsAt(release, key).forEach((entry, index) => {
      const name = textAt(entry, 'name').replace(/[{},]/g, '\\$&');
      const set = Object.hasOwn(entry, 'file')
        ? undefined
        : withSet(values, [name, settingOf(entry)], key === 'setString');
      if (set === undefined) notes.add(`${path}.${key}[${index}]`, `${textAt(entry, 'name')} is left out`);
      else values = set;
    });
  }
  return values;
}

function settingOf(entry: JsonObject): string {
  const escaped = (value: JsonValue | undefined): string =>
    value === undefined || value === null ? '' : String(value).replace(/[{},]/g, '\\$&');
  const several = listAt(entry, 'values');
  return several.length > 0 ? `{${several.map(escaped).join(',')}}` : escaped(entry.value);
}

function readValuesFile(
  file: string,
  release: JsonObject,
  { state, notes, at }: ReleaseReading & { readonly notes: Notes; readonly at: string },
): JsonObject {
  const { tree } = state.context;
  const [found] = expand(tree, state.folder, file);
  const handler = textAt(release, 'missingFileHandler') || textAt(state.document, 'missingFileHandler') || 'Error';
  if (found === undefined) {
    if (handler === 'Error' || /^[a-z0-9+]+::|^[a-z0-9]+:\/\//.test(file))
      notes.add(at, `${file} is not in the repository: it is left out`);
    return {};
  }
  let text = tree.read(found) ?? '';
  try {
    if (found.endsWith('.gotmpl')) {
      const render = createRenderer(state.context, folderOf(found));
      text = render({ name: found, file: found, text, line: 0 }, releaseData(release, state));
    }
  } catch (error) {
    if (!(error instanceof HelmfileError)) throw error;
    const { message, line } = error;
    notes.add(at, `${found}${line === undefined ? '' : `:${line}`} is left out: ${message}`);
    return {};
  }
  const values = valuesOfText(text);
  if (values === undefined) notes.add(at, `${found} is not a YAML mapping: it is left out`);
  return values ?? {};
}

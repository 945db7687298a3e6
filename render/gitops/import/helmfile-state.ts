// Loads a helmfile: renders its parts in sequence, with their bases, environments and values; and the values of its releases.

import { limitIn } from '../../core/limits.ts';
import { compileGlob } from '../../go/glob.ts';
import { GoError } from '../../go/value.ts';
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

/** Shared by all helmfiles of an import. */
export interface HelmfileContext {
  readonly tree: FileTree;
  /** The environment; `default` if none is requested. */
  readonly environment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HelmfileState {
  readonly file: string;
  readonly folder: string;
  readonly document: JsonObject;
  /** The values of the environment, merged over the defaults. */
  readonly values: JsonObject;
  /** What is unknown of the environment, such as encrypted files. */
  readonly unknown: readonly string[];
}

/** A helmfile that cannot be loaded, and where. */
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
  /** Values from the parent helmfile, which override its own. */
  readonly given: JsonObject;
  readonly isBase: boolean;
  /** The base of relative paths: the folder of the helmfile, also for its bases. */
  readonly folder: string;
}

interface Reached {
  readonly document: JsonObject;
  readonly values: JsonObject;
  readonly unknown: readonly string[];
}

/** Loads a helmfile. `given` are values set by its parent. Throws HelmfileError. */
export function loadHelmfile(file: string, context: HelmfileContext, given: JsonObject = {}): HelmfileState {
  const { document, values, unknown } = load(file, context, { given, isBase: false, folder: folderOf(file) });
  const environments = objectAt(document, 'environments');
  const { environment } = context;
  if (Object.keys(environments).length > 0 && environment !== 'default' && !Object.hasOwn(environments, environment)) {
    throw new HelmfileError(
      file,
      `the environment ${environment} is not defined; there are ${Object.keys(environments).join(', ')}`,
    );
  }
  return { file, folder: folderOf(file), document, values: overlay(values, given), unknown };
}

function load(file: string, context: HelmfileContext, surroundings: Surroundings): Reached {
  const text = context.tree.read(file);
  if (text === undefined) throw new HelmfileError(file, 'there is no such file');
  let reached: Reached = { document: {}, values: {}, unknown: [] };
  let line = 0;
  for (const part of text.replaceAll('\r\n', '\n').split(/\n---\n/)) {
    reached = loadPart({ file, text: part, line }, reached, { context, surroundings });
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

interface Loading {
  readonly context: HelmfileContext;
  readonly surroundings: Surroundings;
}

function loadPart(part: Part, before: Reached, loading: Loading): Reached {
  const isTemplate = part.file.endsWith('.gotmpl') || part.text.includes('{{');
  let { values, unknown } = before;
  // Like helmfile before 1.0: a first pass finds the environments of the part itself.
  if (isTemplate && !part.file.endsWith('.gotmpl') && /^(?:environments|bases|values):/m.test(part.text)) {
    const first = firstPass(part, values, loading);
    if (first !== undefined) {
      const known = withBases(first, before, { ...loading, part });
      const added = environmentOf(known.document, overlay(before.values, known.values), {
        ...loading,
        file: part.file,
      });
      values = added.values;
      unknown = added.unknown;
    }
  }
  const text = isTemplate ? rendered(part, values, { ...loading, missingKey: 'error' }) : part.text;
  const own = parsed(part, text);
  const whole = withBases(own, before, { ...loading, part });
  const added = environmentOf(whole.document, overlay(before.values, whole.values), { ...loading, file: part.file });
  return {
    document: whole.document,
    values: added.values,
    unknown: [...new Set([...before.unknown, ...whole.unknown, ...unknown, ...added.unknown])],
  };
}

function firstPass(part: Part, values: JsonObject, loading: Loading): JsonObject | undefined {
  try {
    return parsed(part, rendered(part, values, { ...loading, missingKey: 'zero' }));
  } catch (error) {
    if (!(error instanceof HelmfileError)) throw error;
  }
  // The head, before the releases, may have no templates.
  const head = part.text.split(/^(?:releases|templates|helmfiles|repositories):/m)[0] ?? '';
  try {
    return parsed(part, rendered({ ...part, text: head }, values, { ...loading, missingKey: 'zero' }));
  } catch (error) {
    if (error instanceof HelmfileError) return undefined;
    throw error;
  }
}

function rendered(
  { file, text, line }: Part,
  values: JsonObject,
  { context, surroundings, missingKey }: Loading & { readonly missingKey: 'error' | 'zero' },
): string {
  const all = overlay(values, surroundings.given);
  const funcs = helmfileFuncs({ tree: context.tree, folder: surroundings.folder, env: context.env });
  try {
    return renderTemplate({ name: file, text }, templateValue(environmentData(context.environment, all)), {
      funcs,
      missingKey,
    });
  } catch (error) {
    throw asHelmfileError(error, file, line);
  }
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

/** Converts a template error to one of the file. Rethrows other errors. */
export function asHelmfileError(error: unknown, file: string, line = 0): HelmfileError {
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

// Lists of bases are concatenated, maps merged; otherwise a later part replaces an earlier one.
function withBases(
  own: JsonObject,
  before: Reached,
  { context, surroundings, part }: Loading & { readonly part: Part },
): Reached {
  let document: JsonObject = {};
  let values: JsonObject = {};
  const unknown: string[] = [];
  for (const base of surroundings.isBase ? [] : textsAt(own, 'bases')) {
    const path = resolvePath(surroundings.folder, base);
    if (path === undefined || /^[a-z]+::|^https?:/.test(base))
      throw new HelmfileError(part.file, `the base ${base} is not in the repository`);
    const loaded = load(path, context, {
      given: overlay(before.values, surroundings.given),
      isBase: true,
      folder: surroundings.folder,
    });
    document = merge(document, loaded.document, true);
    values = overlay(values, loaded.values);
    unknown.push(...loaded.unknown);
  }
  return { document: merge(before.document, merge(document, own, true), false), values, unknown };
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
function environmentOf(
  document: JsonObject,
  before: JsonObject,
  { context, surroundings, file }: Loading & { readonly file: string },
): { readonly values: JsonObject; readonly unknown: readonly string[] } {
  const spec = objectAt(objectAt(document, 'environments'), context.environment);
  const unknown: string[] = textsAt(spec, 'secrets').map(
    (path) => `environments.${context.environment}.secrets: ${path} is encrypted`,
  );
  const reading = {
    file,
    context,
    surroundings,
    unknown,
    missing: textAt(spec, 'missingFileHandler') || textAt(document, 'missingFileHandler') || 'Error',
  };
  const defaults = readEntries(listAt(document, 'values'), before, reading);
  const own = readEntries(listAt(spec, 'values'), overlay(defaults, before), reading);
  return { values: overlay(overlay(defaults, before), own), unknown };
}

interface EntryReading extends Loading {
  readonly file: string;
  readonly unknown: string[];
  readonly missing: string;
}

function readEntries(entries: readonly JsonValue[], seen: JsonObject, reading: EntryReading): JsonObject {
  const { file, context, surroundings, unknown, missing } = reading;
  let values: JsonObject = {};
  for (const entry of entries) {
    if (isObject(entry)) values = overlay(values, entry);
    if (typeof entry !== 'string') continue;
    const paths = expand(context.tree, surroundings.folder, entry);
    if (paths.length === 0 && missing === 'Error')
      throw new HelmfileError(file, `there is no environment values file ${entry}`);
    for (const path of paths) {
      const text = context.tree.read(path) ?? '';
      const part = { file: path, text, line: 0 };
      const isTemplate = path.endsWith('.gotmpl');
      if (path.endsWith('.hcl')) unknown.push(`${path} is HCL, which import does not read`);
      else
        values = overlay(
          values,
          parsed(part, isTemplate ? rendered(part, seen, { context, surroundings, missingKey: 'error' }) : text),
        );
    }
  }
  return values;
}

/** Returns the files that match a path or pattern of a helmfile. */
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
  readonly context: HelmfileContext;
  readonly path: string;
}

export function releaseData(release: JsonObject, state: HelmfileState, context: HelmfileContext): JsonObject {
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
  return {
    ...environmentData(context.environment, state.values),
    Release: own,
    Namespace: textAt(state.document, 'namespace'),
    Chart: '',
  };
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
    const text = reading.context.tree.read(resolvePath(reading.state.folder, file) ?? '');
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
  { state, context, notes, at }: ReleaseReading & { readonly notes: Notes; readonly at: string },
): JsonObject {
  const [found] = expand(context.tree, state.folder, file);
  const handler = textAt(release, 'missingFileHandler') || textAt(state.document, 'missingFileHandler') || 'Error';
  if (found === undefined) {
    if (handler === 'Error' || /^[a-z0-9+]+::|^[a-z0-9]+:\/\//.test(file))
      notes.add(at, `${file} is not in the repository: it is left out`);
    return {};
  }
  let text = context.tree.read(found) ?? '';
  try {
    if (found.endsWith('.gotmpl')) {
      const folder = folderOf(found);
      const funcs = helmfileFuncs({ tree: context.tree, folder, env: context.env });
      text = renderTemplate({ name: found, text }, templateValue(releaseData(release, state, context)), {
        funcs,
        missingKey: 'error',
      });
    }
  } catch (error) {
    const { message, line } = asHelmfileError(error, found);
    notes.add(at, `${found}${line === undefined ? '' : `:${line}`} is left out: ${message}`);
    return {};
  }
  const values = valuesOfText(text);
  if (values === undefined) notes.add(at, `${found} is not a YAML mapping: it is left out`);
  return values ?? {};
}

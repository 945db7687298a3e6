// The values of a helmfile's release: maps and files in order, then `set`.
// Mirrors: helmfile, pkg/state/state.go, `generateVanillaValuesFiles`, `setFlags`, v1.1.

import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import type { Notes } from './found.ts';
import { helmfileFuncs, templateValue } from './helmfile-functions.ts';
import {
  asHelmfileError,
  environmentData,
  expand,
  type HelmfileContext,
  type HelmfileState,
} from './helmfile-state.ts';
import {
  isEncrypted,
  listAt,
  objectAt,
  objectsAt,
  overlay,
  textAt,
  textsAt,
  valuesOfText,
  withSet,
} from './members.ts';
import { renderTemplate } from './templating.ts';
import { folderOf, resolvePath } from './tree.ts';

/** Inputs for reading a release. */
export interface ReleaseReading {
  readonly state: HelmfileState;
  readonly context: HelmfileContext;
  readonly path: string;
}

/** Returns the template data of a release. */
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

/** Returns the values of a release. */
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

// The images in objects, and the settings that bring in each of them.

import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';
import { withoutValue } from '../values/edit.ts';
import { shrinkSettings } from './reduce.ts';
import type { CaseSettings } from './search.ts';

/** Where an object refers to an image. */
export interface ImageUse {
  readonly kind: string;
  readonly name: string;
  /** The path of the field, such as `spec.template.spec.containers[0].image`. */
  readonly field: string;
}

/** The parts of an image reference. */
export interface ImageReference {
  /** The reference in the object. */
  readonly reference: string;
  /** Registry and repository, such as `quay.io/prometheus/prometheus`. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** For example `sha256:…`. */
  readonly digest: string | undefined;
}

/** An image that a chart can use. */
export interface ChartImage extends ImageReference {
  /** The smallest settings found that use it; empty if the defaults do. */
  readonly when: CaseSettings;
  /** Where it is used, in the first rendering that has it. */
  readonly uses: readonly ImageUse[];
}

/** Returns the objects of a rendering, or undefined if it fails. */
export type RenderObjects = (settings: CaseSettings) => readonly JsonObject[] | undefined;

/** Returns the images in objects: all fields named `image`, and arguments and variables of containers. */
export function imagesIn(objects: readonly JsonObject[]): Map<string, ImageUse[]> {
  const found = new Map<string, ImageUse[]>();
  for (const object of objects) {
    const kind = textOf(object.kind);
    const name = isObject(object.metadata) ? textOf(object.metadata.name) : '';
    const add = (reference: string, field: string): void => {
      found.set(reference, [...(found.get(reference) ?? []), { kind, name, field }]);
    };
    findIn(object, '', add);
  }
  return found;
}

/** Returns the images of a chart in all its cases, those of the defaults first. */
export function chartImages(cases: readonly CaseSettings[], render: RenderObjects): ChartImage[] {
  const defaults = imagesIn(render({ values: {} }) ?? []);
  const found = new Map<string, ChartImage>();
  const chosen = new Set<string>();
  const keep = (images: ReadonlyMap<string, ImageUse[]>, when: (reference: string) => CaseSettings): void => {
    for (const [reference, uses] of images) {
      if (found.has(reference) || chosen.has(reference)) continue;
      const settings = when(reference);
      if (choosesImage(settings.values, reference)) chosen.add(reference);
      else found.set(reference, { ...parseReference(reference), when: settings, uses });
    }
  };
  keep(defaults, () => ({ values: {} }));
  for (const settings of cases) {
    const own = withoutImageValues(settings, render);
    const has = (reference: string) => (fewer: CaseSettings) => imagesIn(render(fewer) ?? []).has(reference);
    keep(imagesIn(render(own) ?? []), (reference) => shrinkSettings(own, has(reference)));
  }
  return [...found.values()];
}

/**
 * Parses an image reference that is well-formed.
 * Mirrors: distribution/reference.
 */
export function parseReference(reference: string): ImageReference {
  const [named = '', digest] = reference.split('@');
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  return {
    reference,
    repository: colon < 0 ? named : named.slice(0, colon),
    tag: colon < 0 ? undefined : named.slice(colon + 1),
    digest,
  };
}

// A case may set an image itself, such as its tag: what the chart would use is the image without that value.
function withoutImageValues(settings: CaseSettings, render: RenderObjects): CaseSettings {
  const images = [...imagesIn(render(settings) ?? []).keys()];
  let kept = settings;
  for (const { path, value } of textsIn(settings.values)) {
    if (value === '' || !images.some((reference) => reference.includes(value))) continue;
    const fewer = { ...kept, values: withoutValue(kept.values, path) };
    if (render(fewer) !== undefined) kept = fewer;
  }
  return kept;
}

// Removes from an image's settings the image itself and parts of its name.
function choosesImage(values: JsonObject, reference: string): boolean {
  return textsIn(values).some(({ path, value }) => {
    const isPart = /image|tag|digest|registry|repository|version/i.test(path.at(-1) ?? '');
    return isPart || (value.length > 2 && (reference.includes(value) || value.includes(reference)));
  });
}

interface PlacedText {
  readonly path: readonly string[];
  readonly value: string;
}

function textsIn(value: JsonValue, path: readonly string[] = []): PlacedText[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, [...path, String(at)]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item ?? null, [...path, key])) : [];
}

function findIn(value: JsonValue, path: string, add: (reference: string, field: string) => void): void {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const field = `${path}[${at}]`;
      if (typeof item === 'string' && /\.(args|command)$/.test(path)) addArgument(item, field, add);
      else findIn(item, field, add);
    }
  }
  if (!isObject(value)) return;
  if (/\.env\[\d+\]$/.test(path) && /IMAGE/.test(textOf(value.name)))
    addReference(textOf(value.value), `${path}.value`, add);
  for (const [key, item] of Object.entries(value)) {
    const field = path === '' ? key : `${path}.${key}`;
    if (/^image$|Image$/.test(key) && typeof item === 'string') addReference(item, field, add);
    else if (key === 'image' && isObject(item) && typeof item.repository === 'string') addParts(item, field, add);
    else if (item !== undefined) findIn(item, field, add);
  }
}

function addParts(image: JsonObject, field: string, add: (reference: string, field: string) => void): void {
  const [registry, repository, tag, digest] = ['registry', 'repository', 'tag', 'digest'].map((name) =>
    textOf(image[name]),
  );
  const named = `${registry ? `${registry}/` : ''}${repository}`;
  addReference(`${named}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`, field, add);
}

// `--prometheus-config-reloader=quay.io/prometheus-operator/prometheus-config-reloader:v0.80.0`
function addArgument(text: string, field: string, add: (reference: string, field: string) => void): void {
  const [, value = ''] = /^--?[\w.-]+=(.+)$/.exec(text) ?? [];
  if (/^[a-z\d.-]+\.[a-z]+(?::\d+)?\/[\w./-]+(?::[\w.-]+(?:@sha256:[\da-f]+)?|@sha256:[\da-f]+)$/.test(value))
    add(value, field);
}

const reference = /^[a-z\d][\w.:/-]*(?:@[a-z\d]+:[\da-f]+)?$/;

function addReference(text: string, field: string, add: (reference: string, field: string) => void): void {
  const trimmed = text.trim();
  if (reference.test(trimmed)) add(trimmed, field);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

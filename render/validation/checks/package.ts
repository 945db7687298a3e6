// Inputs of the checks: a package with all its objects, and helpers for issues.

import { type Issue, RenderError } from '../../core/errors.ts';
import { joinPath } from '../../core/paths.ts';
import type { RenderedPackage } from '../../engine/packages.ts';
import type { Hook } from '../../manifest/sort.ts';
import { installDocuments } from '../../output/manifest.ts';
import { isCrd, type KubeObject, manifestObjects } from '../../output/objects.ts';
import type { CustomScopes } from '../../output/scope.ts';

export interface CheckedObject extends KubeObject {
  /** When it runs and is deleted, if it is a hook. */
  readonly hook: Hook | undefined;
}

export interface CheckedPackage {
  readonly item: RenderedPackage;
  /** The path of its chart selection in the Order. */
  readonly path: string;
  /** Those of `crds/`. */
  readonly crds: readonly KubeObject[];
  /** Hooks of the installation and resources, in installation order. */
  readonly objects: readonly CheckedObject[];
}

/** Returns the objects of a package. Errors in its CRD files are added to `faults`: Helm reads them only during installation. */
export function readPackage(item: RenderedPackage, scopes: CustomScopes, faults: Issue[]): CheckedPackage {
  const path = joinPath(item.selection.path, 'chart');
  return {
    item,
    path,
    crds: readCrds(item, path, { scopes, faults }),
    objects: installDocuments(item).flatMap((document) => {
      const hook = 'events' in document ? (document as Hook) : undefined;
      return manifestObjects([document], item, scopes).map((object) => ({ ...object, hook }));
    }),
  };
}

function readCrds(
  item: RenderedPackage,
  path: string,
  { scopes, faults }: { readonly scopes: CustomScopes; readonly faults: Issue[] },
): KubeObject[] {
  try {
    return manifestObjects(item.release.crds, item, scopes);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    faults.push(errorIssue(path, error.message, error.hint ?? ''));
    return [];
  }
}

/** Returns the definitions of custom kinds in a package. */
export function crdsAmong({ crds, objects }: CheckedPackage): readonly KubeObject[] {
  return [...crds, ...objects].filter(isCrd);
}

/** Formats an object's type and name: `ConfigMap shop/web`. */
export function shownObject({ kind, namespace, name }: KubeObject): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Returns an issue that prevents an installation. */
export function errorIssue(path: string, message: string, hint: string): Issue {
  return { path, message, severity: 'error', hint };
}

/** Returns an issue that may be intended. */
export function warning(path: string, message: string, hint: string): Issue {
  return { path, message, severity: 'warning', hint };
}

/** Returns an issue that is information only. */
export function note(path: string, message: string, hint: string): Issue {
  return { path, message, severity: 'note', hint };
}

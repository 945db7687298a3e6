// The objects of an Order's packages, read once for all views of its scripts.

import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import { hooksOf } from '../output/manifest.ts';
import { customScopes, isCrd, isNamed, type KubeObject, manifestObjects } from '../output/objects.ts';
import { keptAmong, type RandomObject, randomObjects } from '../output/random.ts';
import type { CustomScopes } from '../output/scope.ts';

export interface ReadPackage {
  readonly item: RenderedPackage;
  /** Those of `crds/`. */
  readonly crds: readonly KubeObject[];
  /** The names of the definitions in `crds/`. */
  readonly crdNames: readonly string[];
  /** Those of templates that are not hooks. */
  readonly objects: readonly KubeObject[];
  /** The hooks of the installation, each once. */
  readonly hooks: readonly KubeObject[];
  /** Those of templates, hooks too, that another rendering gives otherwise. */
  readonly random: readonly RandomObject[];
  /** The keys of those that are created once and kept. */
  readonly kept: ReadonlySet<string>;
}

/** An Order and the objects of its packages. */
export interface ReadObjects {
  readonly rendered: RenderedPackages;
  readonly scopes: CustomScopes;
  readonly packages: readonly ReadPackage[];
}

/** Reads the objects of an Order. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function readScriptObjects(rendered: RenderedPackages): ReadObjects {
  const scopes = customScopes(rendered);
  return { rendered, scopes, packages: rendered.packages.map((item) => readPackage(item, scopes)) };
}

function readPackage(item: RenderedPackage, scopes: CustomScopes): ReadPackage {
  const crds = manifestObjects(item.release.crds, item, scopes);
  const random = randomObjects(item, scopes);
  return {
    item,
    crds,
    crdNames: crds.filter((object) => isCrd(object) && isNamed(object)).map(({ name }) => name),
    objects: manifestObjects(item.release.manifests, item, scopes),
    hooks: manifestObjects(hooksOf(item, 'pre-install', 'post-install'), item, scopes),
    random,
    kept: keptAmong(random),
  };
}

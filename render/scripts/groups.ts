// Which packages of an Order may be installed at once: neighbours of which none needs another.

import type { GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { crdName } from '../order/order.ts';
import { installDocuments } from '../output/manifest.ts';
import { isCrd, type KubeObject } from '../output/objects.ts';
import { groupOf } from '../output/scope.ts';
import type { ReadObjects, ReadPackage } from './read-objects.ts';

/** Gives the numbers of the packages, from 1, in order; those of one group do not depend on each other. */
export function groupsOf({ packages }: ReadObjects): number[][] {
  const groups: { readonly numbers: number[]; readonly needs: PackageNeeds[] }[] = [];
  packages.forEach((item, index) => {
    const needs = needsOf(item);
    const group = groups.at(-1);
    if (group === undefined || group.needs.some((earlier) => dependsOn(needs, earlier))) {
      groups.push({ numbers: [index + 1], needs: [needs] });
    } else {
      group.numbers.push(index + 1);
      group.needs.push(needs);
    }
  });
  return groups.map(({ numbers }) => numbers);
}

interface PackageNeeds {
  readonly namespaces: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly brings: ReadonlySet<string>;
  readonly defines: ReadonlySet<string>;
  /** Whether what follows waits for it whatever it is: the Order says so, or it answers requests of the API server. */
  readonly isGate: boolean;
  readonly text: string;
}

function needsOf(read: ReadPackage): PackageNeeds {
  const { item } = read;
  const objects = [...read.hooks, ...read.objects];
  const crds = [...read.crds, ...objects].filter(isCrd);
  const { resources, waitFors } = item.selection.chart;
  return {
    namespaces: new Set([item.release.namespace, ...namespacesOf(objects)]),
    types: new Set(objects.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}`)),
    required: new Set(resources.required.map(crdName)),
    brings: new Set([...resources.owned.map(crdName), ...crds.map(({ name }) => name)]),
    defines: new Set(crds.map(({ value }) => definedType(value))),
    isGate:
      waitFors.length > 0 || objects.some(({ kind }) => /^(?:(?:Mutating|Validating)Webhook|APIService$)/.test(kind)),
    text: installDocuments(item)
      .map(({ content }) => content)
      .join('\n'),
  };
}

function definedType(crd: GoValue): string {
  const spec = member(crd, 'spec');
  return `${String(member(spec, 'group'))}/${String(member(member(spec, 'names'), 'kind'))}`;
}

function namespacesOf(objects: readonly KubeObject[]): string[] {
  return objects.flatMap(({ kind, name, namespace }) =>
    kind === 'Namespace' ? [name] : namespace === '' ? [] : [namespace],
  );
}

function dependsOn(later: PackageNeeds, earlier: PackageNeeds): boolean {
  return (
    earlier.isGate ||
    [...later.namespaces].some((name) => earlier.namespaces.has(name)) ||
    [...later.types].some((type) => earlier.defines.has(type)) ||
    [...later.required].some((name) => earlier.brings.has(name)) ||
    // The name of a service in another namespace, as in db.data.svc.
    [...earlier.namespaces].some((name) => later.text.includes(`.${name}`))
  );
}

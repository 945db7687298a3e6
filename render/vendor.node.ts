// The entry point `drydock/vendor`, the only one that opens connections. It downloads the charts of Orders into a folder and pins them in a
// lock file, so that rendering works offline.

import { resolve } from 'node:path';
import { type ChartRef, checkRef, type Registry } from './chart/registry.ts';
import { checkArguments, listOf } from './core/arguments.ts';
import { validateOrder } from './order/validate.ts';
import type { VendorOrder } from './vendor/fetch/demand.node.ts';
import { objectArgument, type VendorOptions, vendorOptions } from './vendor/fetch/options.ts';
import { type VendorReport, vendorNamed, vendorRequests } from './vendor/fetch/vendor.node.ts';
import { directoryRegistry } from './vendor/lock/registry.node.ts';

export type { VendorOrder } from './vendor/fetch/demand.node.ts';
export type { BroughtDependency } from './vendor/fetch/dependencies.node.ts';
export { VendorError, type VendorErrorCode, type VendorErrorDetails } from './vendor/fetch/errors.ts';
export { type HelmHome, helmHome } from './vendor/fetch/helm-home.node.ts';
export {
  checkVendored,
  type FolderFaults,
  readVendorInputs,
  type VendorCheck,
  type VendorCheckOptions,
  type VendoredInputs,
  type VendorInputs,
  type VendorRead,
  type VendorReadOptions,
  vendorInputs,
} from './vendor/fetch/inputs.node.ts';
export type { VendorEvent, VendorOptions } from './vendor/fetch/options.ts';
export type { SchemaReport, VendoredSchema } from './vendor/fetch/schemas.node.ts';
export type { VendoredChart, VendorReport } from './vendor/fetch/vendor.node.ts';
export { type Lock, type LockedChart, type LockedSchema, parseLock } from './vendor/lock/lock.ts';

/**
 * Downloads every chart of the Orders, and the dependencies of local charts, into a folder, and pins each in drydock.lock. `orders` are
 * documents of type Order; their relative paths start from `folder`, by default `cwd`. Rejects with VendorError, which leaves the folder
 * and the lock file unchanged; with ORDER_INVALID, ARGUMENT_INVALID.
 * @example
 * const { charts } = await vendorOrders([order], { dir: 'charts' });
 */
export async function vendorOrders(orders: readonly unknown[], options: VendorOptions = {}): Promise<VendorReport> {
  checkArguments('vendorOrders', ['orders', orders, listOf(objectArgument)], ['options', options, vendorOptions]);
  const cwd = resolve(options.cwd ?? '.');
  const valid = orders.map(
    (order, index): VendorOrder => ({
      name: `orders[${index}]`,
      order: validateOrder(order).order,
      folders: [cwd],
    }),
  );
  return vendorNamed(valid, options);
}

/**
 * Returns a registry that downloads missing charts: a chart that is not in the lock file is fetched, written into the folder and pinned
 * before it is rendered. Rejects as `directoryRegistry` does, and with VendorError.
 * @example
 * const registry = vendoringRegistry({ dir: 'charts' });
 * console.log((await renderOrder(order, { registry })).manifest());
 */
export function vendoringRegistry(options: VendorOptions = {}): Registry {
  checkArguments('vendoringRegistry', ['options', options, vendorOptions]);
  const cwd = resolve(options.cwd ?? '.');
  const folder = resolve(cwd, options.dir ?? 'charts');
  const offline = directoryRegistry([...new Set([folder, cwd])]);
  // One after the other: each writes the lock.
  let last: Promise<unknown> = Promise.resolve();
  return {
    resolve: async (ref: ChartRef) => {
      checkRef(ref);
      const isRemote = ref.sourceRef.kind !== 'Embed' && ref.sourceRef.kind !== 'Local';
      if (isRemote) {
        const turn = last.then(() => vendorRequests([{ ref, by: 'registry.resolve' }], options));
        last = turn.catch(() => {});
        await turn;
      }
      return offline.resolve(ref);
    },
  };
}

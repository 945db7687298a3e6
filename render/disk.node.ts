// The door `drydock/node`: charts on this machine's disk. Everything else of rendering is in `drydock`.

export { loadChartPath } from './chart/directory.node.ts';
export type { LoadOptions } from './chart/load.ts';
export { diskTree } from './gitops/disk-tree.node.ts';
export { type DirectoryOptions, directoryRegistry } from './vendor/registry.node.ts';

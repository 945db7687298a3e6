// The files of a repository by path.

/** The files that an import can read. Paths are relative to the root, with `/`, without `.` and `..`; the root is empty. */
export interface FileTree {
  /** Returns the text of a file, or undefined. */
  read(path: string): string | undefined;
  /** Returns the sorted names in a folder; those of folders end in `/`. Undefined if the folder does not exist. */
  list(path: string): readonly string[] | undefined;
}

/** Returns a tree of texts in memory. */
export function treeOfFiles(files: ReadonlyMap<string, string>): FileTree {
  const folders = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    const steps = path.split('/');
    for (let depth = 0; depth < steps.length; depth++) {
      const folder = steps.slice(0, depth).join('/');
      const names = folders.get(folder) ?? new Set();
      folders.set(folder, names.add(depth === steps.length - 1 ? (steps[depth] ?? '') : `${steps[depth]}/`));
    }
  }
  return {
    read: (path) => files.get(path),
    list: (path) => {
      const names = folders.get(path);
      return names === undefined ? undefined : [...names].sort();
    },
  };
}

/** Resolves a path in a folder; undefined if it leaves the root. `/` starts at the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const steps = path.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.join('/');
}

/** Returns the folder of a path; empty for the root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}

/** Returns a path relative to a folder: `../charts/web` from `clusters` for `charts/web`. */
export function relativePath(folder: string, path: string): string {
  const steps = (text: string): string[] => (text === '' ? [] : text.split('/'));
  const [from, to] = [steps(folder), steps(path)];
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common++;
  const parts = [...from.slice(common).map(() => '..'), ...to.slice(common)];
  return parts.join('/') || '.';
}

export function hasFolder(tree: FileTree, path: string): boolean {
  return tree.list(path) !== undefined;
}

/** Returns the sorted paths of all files below a folder, without hidden folders and those selected by `skip`. */
export function filesBelow(tree: FileTree, folder: string, skip: (folder: string) => boolean = () => false): string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const names = tree.list(next) ?? [];
    const at = (name: string): string => (next === '' ? name : `${next}/${name}`);
    for (const name of names) {
      if (!name.endsWith('/')) found.push(at(name));
      else if (!name.startsWith('.') && name !== 'node_modules/' && !skip(at(name.slice(0, -1)))) {
        open.push(at(name.slice(0, -1)));
      }
    }
  }
  return found.sort();
}

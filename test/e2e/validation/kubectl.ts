// Compares validation of mutated objects with real kubectl, which contains Kubernetes' own types: objects that its decoder rejects must be
// invalid, fields that it drops must be unknown, and no others. Uses kubectl 1.31 and 1.36, each with the schemas of its version.
// `npm run test:e2e -- validation [COUNT]`, by default 100 objects.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { validateObjects } from '../../../render/api/validation.ts';
import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import type { ObjectIssue } from '../../../render/validation/objects/document-issues.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { type Mutation, mutations } from './mutations.ts';

const seed = 20_250_131;

/** The result of kubectl for an object. */
interface Verdict {
  /** The error of its decoder; undefined if it reads the object. */
  readonly rejection: string | undefined;
  /** The paths of dropped fields. */
  readonly dropped: readonly string[];
}

// `set env` decodes an object into the types of Kubernetes, adds a variable and prints it, all offline. It prints nothing for an object
// without containers.
async function ask(kubectl: string, folder: string, all: readonly Mutation[]): Promise<Verdict[]> {
  return Promise.all(
    all.map(async ({ object }, at) => {
      const file = join(folder, `${at}.json`);
      await writeFile(file, JSON.stringify(object));
      const args = ['set', 'env', '--local', '-f', file, '-o', 'json', 'DRYDOCK=1'];
      const { stdout, stderr, exitCode } = await execa(kubectl, args, {
        reject: false,
        timeout: 60_000,
        env: { KUBECONFIG: '/dev/null' },
      });
      if (stdout.trim() !== '')
        return { rejection: undefined, dropped: droppedFrom(object, JSON.parse(stdout) as JsonValue, '') };
      // Decoded, but a list entry without a name cannot be changed.
      const isDecoded = exitCode === 0 || stderr.includes('does not contain declared merge key');
      if (isDecoded) return { rejection: undefined, dropped: ['?'] };
      return { rejection: stderr.trim(), dropped: [] };
    }),
  );
}

// Go omits empty values, so a missing empty value may not have been dropped.
function droppedFrom(given: JsonValue, kept: JsonValue | undefined, path: string): string[] {
  if (Array.isArray(given)) {
    return given.flatMap((item, at) => droppedFrom(item, (kept as JsonValue[] | undefined)?.[at], `${path}[${at}]`));
  }
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given as JsonObject).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const isThere = typeof kept === 'object' && kept !== null && name in kept;
    if (!isThere) return isEmpty(value as JsonValue) ? [] : [at];
    return droppedFrom(value as JsonValue, (kept as JsonObject)[name] as JsonValue, at);
  });
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every((item) => isEmpty(item as JsonValue));
}

/** Returns the differences from kubectl's result; empty if there are none. */
function disagreement({ rejection, dropped }: Verdict, object: JsonObject, issues: readonly ObjectIssue[]): string {
  const invalid = issues.filter(({ kind }) => kind === 'invalid');
  if (rejection !== undefined) return invalid.length > 0 ? '' : `only kubectl rejects it: ${rejection}`;
  if (invalid.length > 0) return `only drydock rejects it: ${invalid[0]?.message}`;
  // kubectl printed nothing.
  if (dropped.includes('?')) return '';
  const unknown = issues
    .filter(({ kind, path }) => kind === 'unknown' && !isEmpty(valueAt(object, path)))
    .map(({ path }) => path);
  const isWithin = (path: string, outer: string): boolean =>
    path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
  const unreported = dropped.filter((path) => !unknown.some((one) => isWithin(one, path)));
  const kept = unknown.filter((path) => !dropped.some((one) => isWithin(path, one)));
  if (unreported.length > 0) return `kubectl drops ${unreported.join(', ')}, which drydock knows`;
  return kept.length > 0 ? `kubectl keeps ${kept.join(', ')}, which drydock does not know` : '';
}

function valueAt(object: JsonObject, path: string): JsonValue {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  return steps.reduce<JsonValue>((value, step) => (value as Record<string, JsonValue> | null)?.[step] ?? null, object);
}

const count = Number(process.argv[2] ?? 100);
const folder = temporaryFolder('drydock-schemas-');
let agreed = 0;
const tally = { rejected: 0, dropped: 0, accepted: 0 };
const found: string[] = [];

for (const [helm, version] of [
  [3, '1.31'],
  [4, '1.36'],
] as const) {
  const { kubectl } = await helmBinary(helm);
  const all = mutations(Math.ceil(count / 2), seed + helm, version);
  for (let from = 0; from < all.length; from += 4) {
    const some = all.slice(from, from + 4);
    const verdicts = await ask(kubectl, folder, some);
    for (const [at, { object, what }] of some.entries()) {
      const verdict = verdicts[at] as Verdict;
      tally[verdict.rejection !== undefined ? 'rejected' : verdict.dropped.length > 0 ? 'dropped' : 'accepted']++;
      const issues = await validateObjects(JSON.stringify(object), { kubeVersion: version });
      const text = disagreement(verdict, object, issues);
      if (text === '') agreed++;
      else found.push(`Kubernetes ${version}, ${what}\n  ${text}\n  ${JSON.stringify(object)}`);
    }
  }
}

for (const text of found) console.log(text);
console.log(
  `validation: ${agreed} of ${agreed + found.length} results are the same as kubectl's, which rejects ${tally.rejected} objects, drops fields of ${tally.dropped} and accepts ${tally.accepted}`,
);
if (found.length > 0 || tally.rejected === 0 || tally.dropped === 0) process.exitCode = 1;

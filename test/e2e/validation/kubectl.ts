// Compares validation of mutated objects with real kubectl, which contains Kubernetes' own types: objects that its decoder refuses must be
// invalid, fields that it drops unknown, and nothing else. kubectl 1.31 and 1.36, each with the tables of its version.  npm run test:e2e --
// validation            100 objects of each mutation  npm run test:e2e -- validation 500 1234   500, with another seed

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { validateObjects } from '../../../render/api/validation.ts';
import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import type { ObjectIssue } from '../../../render/validation/objects/document-issues.ts';
import { helmBinary } from '../../../scripts/dev/tools/helm-binary.ts';
import { type Mutation, mutations } from './mutations.ts';

const seed = 20_250_131;

/** The result of kubectl for an object. */
interface Verdict {
  /** The error of its decoder; undefined if it reads the object. */
  readonly refusal: string | undefined;
  /** The paths of dropped fields. */
  readonly dropped: readonly string[];
}

// `set env` decodes an object into the types of Kubernetes, adds a variable and writes it, all offline. It prints nothing for an object
// without its one container.
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
        return { refusal: undefined, dropped: droppedFrom(object, JSON.parse(stdout) as JsonValue, '') };
      // It was decoded; a list entry without a name cannot be changed, which says nothing about the schema.
      const isRead = exitCode === 0 || stderr.includes('does not contain declared merge key');
      if (isRead) return { refusal: undefined, dropped: ['?'] };
      return { refusal: stderr.trim(), dropped: [] };
    }),
  );
}

// Go omits empty values, so they may disappear: nothing can be concluded.
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
function disagreement({ refusal, dropped }: Verdict, object: JsonObject, issues: readonly ObjectIssue[]): string {
  const invalid = issues.filter(({ kind }) => kind === 'invalid');
  if (refusal !== undefined) return invalid.length > 0 ? '' : `kubectl refuses it, and we do not: ${refusal}`;
  if (invalid.length > 0) return `we refuse it, and kubectl does not: ${invalid[0]?.message}`;
  // Nothing was written.
  if (dropped.includes('?')) return '';
  const unknown = issues
    .filter(({ kind, path }) => kind === 'unknown' && !isEmpty(valueAt(object, path)))
    .map(({ path }) => path);
  const isWithin = (path: string, outer: string): boolean =>
    path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
  const untold = dropped.filter((path) => !unknown.some((one) => isWithin(one, path)));
  const kept = unknown.filter((path) => !dropped.some((one) => isWithin(path, one)));
  if (untold.length > 0) return `kubectl drops ${untold.join(', ')}, and we know it`;
  return kept.length > 0 ? `kubectl keeps ${kept.join(', ')}, and we do not know it` : '';
}

function valueAt(object: JsonObject, path: string): JsonValue {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  return steps.reduce<JsonValue>((value, step) => (value as Record<string, JsonValue> | null)?.[step] ?? null, object);
}

const count = Number(process.argv[2] ?? 100);
const folder = await mkdtemp(join(tmpdir(), 'drydock-schemas-'));
let agreed = 0;
const tally = { refused: 0, dropping: 0, fine: 0 };
const found: string[] = [];
try {
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
        tally[verdict.refusal !== undefined ? 'refused' : verdict.dropped.length > 0 ? 'dropping' : 'fine']++;
        const issues = await validateObjects(JSON.stringify(object), { kubeVersion: version });
        const text = disagreement(verdict, object, issues);
        if (text === '') agreed++;
        else found.push(`Kubernetes ${version}, ${what}\n  ${text}\n  ${JSON.stringify(object)}`);
      }
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const text of found) console.log(text);
console.log(
  `schemas: ${agreed} of ${agreed + found.length} verdicts are kubectl's (it refuses ${tally.refused}, drops fields of ${tally.dropping}, takes ${tally.fine})`,
);
if (found.length > 0 || tally.refused === 0 || tally.dropping === 0) process.exitCode = 1;

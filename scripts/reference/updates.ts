// Records which changes of Kubernetes' own kinds the API server refuses, by trying them: `npm run reference -- updates`. Writes
// fixtures/kubernetes/updates.yaml and the table of render/diff that is generated from it. `-- --check` compares and writes nothing.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startCluster } from './cluster.ts';
import { type Attempt, type JsonMap, type Operation, probe, type Subject, type Verdict } from './probe.ts';
import { kubernetesVersion } from './programs.ts';

/** How the API server treats changes of a kind: fields with everything below them, or after operations for these only. */
interface Updates {
  readonly kind: string;
  readonly when?: JsonMap;
  readonly attempts: number;
  readonly refused: readonly string[];
  readonly accepted: readonly string[];
}

const root = join(import.meta.dirname, '../..');
const recorded = join(root, 'fixtures/kubernetes/updates.yaml');
const table = join(root, 'render/diff/updates.generated.ts');

const subjects = parse(await readFile(join(root, 'fixtures/kubernetes/objects.yaml'), 'utf8')) as Subject[];
const updates = await recordUpdates();
const files = [
  [
    recorded,
    `# Made by npm run reference -- updates with Kubernetes ${kubernetesVersion}.\n${stringify(updates.map(withoutCount), { lineWidth: 0 })}`,
  ],
  [table, tableText(updates)],
] as const;
for (const [path, text] of files) {
  if (!process.argv.includes('--check')) {
    await writeFile(path, text);
  } else if ((await readFile(path, 'utf8')) !== text) {
    console.error(`${path} is not what the API server says: run npm run reference -- updates`);
    process.exitCode = 1;
  }
}
const total = updates.reduce((sum, { attempts }) => sum + attempts, 0);
console.log(`${total} changes of ${updates.length} kinds and conditions tried with Kubernetes ${kubernetesVersion}`);

// The number of changes varies with the ports and addresses that the server assigns.
function withoutCount({ attempts: _, ...rest }: Updates): Omit<Updates, 'attempts'> {
  return rest;
}

async function recordUpdates(): Promise<Updates[]> {
  const groups = new Map<string, { kind: string; when?: JsonMap; attempts: Attempt[] }>();
  const cluster = await startCluster({ controllers: false });
  try {
    for (const subject of subjects) {
      const { object, when } = subject;
      const key = JSON.stringify([object.kind, when ?? '']);
      const group = groups.get(key) ?? { kind: String(object.kind), ...(when && { when }), attempts: [] };
      groups.set(key, { ...group, attempts: [...group.attempts, ...(await probe(cluster, subject))] });
    }
  } finally {
    await cluster.stop();
  }
  // Conditions on the object come first; the first match applies.
  return [...groups.values()]
    .map(({ attempts, ...rest }) => ({ ...rest, attempts: attempts.length, ...summarize(attempts) }))
    .sort((a, b) => (a.kind === b.kind ? Number('when' in b) - Number('when' in a) : a.kind < b.kind ? -1 : 1));
}

interface Field {
  readonly verdicts: Map<Operation, Set<Verdict>>;
  readonly members: Map<string, Field>;
}

function summarize(attempts: readonly Attempt[]): Pick<Updates, 'refused' | 'accepted'> {
  const top: Field = { verdicts: new Map(), members: new Map() };
  for (const { path, operation, verdict } of attempts) {
    let field = top;
    for (const step of path) {
      const name = typeof step === 'number' ? '*' : step;
      const next = field.members.get(name) ?? { verdicts: new Map(), members: new Map() };
      field.members.set(name, next);
      field = next;
    }
    field.verdicts.set(operation, (field.verdicts.get(operation) ?? new Set<Verdict>()).add(verdict));
  }
  return { refused: patterns(top, [], true), accepted: patterns(top, [], false) };
}

/** Returns the fields for which every attempt was rejected, or none was; fields below a listed one are left out. */
function patterns(field: Field, path: readonly string[], isRefused: boolean): string[] {
  const isSuch = (verdicts: ReadonlySet<Verdict>): boolean =>
    isRefused === verdicts.has('refused') && (!isRefused || verdicts.size === 1);
  const all = allVerdicts(field);
  if (path.length > 0 && all.every(isSuch)) return [path.join(' ')];
  const operations = [...field.verdicts].filter(([, verdicts]) => isSuch(verdicts)).map(([operation]) => operation);
  const isOfAll = operations.length === field.verdicts.size;
  const own =
    operations.length === 0
      ? []
      : [`${isOfAll && field.members.size === 0 ? '' : `${operations.sort().join('')} `}${path.join(' ')}`];
  return [...own, ...[...field.members].flatMap(([name, member]) => patterns(member, [...path, name], isRefused))];
}

function allVerdicts({ verdicts, members }: Field): ReadonlySet<Verdict>[] {
  return [...verdicts.values(), ...[...members.values()].flatMap(allVerdicts)];
}

function tableText(all: readonly Updates[]): string {
  const rows = all.map(({ kind, when, refused }) => ({ kind, when: Object.entries(when ?? {}), refused }));
  const isOfUse = ({ kind }: { readonly kind: string }): boolean =>
    rows.some((row) => row.kind === kind && row.refused.length > 0);
  return `// Made by npm run reference -- updates with Kubernetes ${kubernetesVersion}, from fixtures/kubernetes/updates.yaml.

/** The changes of a kind that the API server refuses. */
export interface RefusedChanges {
  readonly kind: string;
  /** Members of the object, by path, and the values that this depends on. */
  readonly when: readonly (readonly [path: string, value: string | boolean])[];
  /** Fields with everything below them, or after operations (+ added, - removed, ~ changed, > increased, < decreased) for these only. */
  readonly refused: readonly string[];
}

/** By kind; the first entry whose conditions match applies. */
export const refusedChanges: readonly RefusedChanges[] = [
${rows
  .filter(isOfUse)
  .map((row) => `  ${JSON.stringify(row)},`)
  .join('\n')}
];
`;
}

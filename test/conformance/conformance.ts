// Renders every chart in some folders with real Helm and with drydock (in process) and reports the differences. If the two differ,
// Helm runs again: lines that differ between its own two runs are random and are not compared.
// `npm run conformance -- DIR… [--helm VERSION,…|both] [--filter TEXT]`

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { readCaseWords, targetOfCase } from '../../render/inputs/cases.node.ts';
import { askBounded, helmEnvironment, helmProgram, versionsOf } from '../../scripts/dev/tools/helm-binary.ts';
import { cacheDirectory } from '../../scripts/dev/tools/pinned-package.ts';
import { runInProcess } from '../support/cli.ts';
import type { Answer } from '../support/golden.ts';
import { type ConformanceCase, listCases } from './charts.ts';

type Verdict =
  | 'identical'
  | 'same error'
  | 'Helm panics'
  | 'different'
  | 'different error'
  | 'drydock failed'
  | 'only Helm failed';

interface Outcome {
  readonly id: string;
  readonly verdict: Verdict;
  /** Number of lines that differed between Helm's own two runs and were not compared. */
  readonly masked: number;
  readonly detail: string;
}

/** Compares line by line, except for lines that differ between two runs of Helm. */
function compareText(first: string, second: string, ours: string): { masked: number; detail: string | undefined } {
  if (first === ours) return { masked: 0, detail: undefined };
  const [a, b, c] = [first.split('\n'), second.split('\n'), ours.split('\n')];
  let masked = 0;
  for (let i = 0; i < Math.max(a.length, c.length); i++) {
    if (a[i] === c[i]) continue;
    if (a.length === b.length && a.length === c.length && a[i] !== b[i]) masked++;
    else
      return { masked, detail: `line ${i + 1}:\n    helm ${JSON.stringify(a[i])}\n    ours ${JSON.stringify(c[i])}` };
  }
  return { masked, detail: undefined };
}

function compareAnswers(first: Answer, second: Answer, ours: Answer): Omit<Outcome, 'id'> {
  if (first.exitCode !== 0) {
    if (ours.exitCode === 0) return { verdict: 'only Helm failed', masked: 0, detail: first.stderr.trim() };
    // A panic prints varying addresses; drydock reports an error that mentions the panic.
    const panic = /^panic: (.*)/m.exec(first.stderr)?.[1];
    if (panic !== undefined && ours.stderr.includes(panic)) return { verdict: 'Helm panics', masked: 0, detail: '' };
    const shown = ({ stderr }: Answer): string =>
      sortUnordered(stderr.replace(networkFailure, 'schemas are not fetched'));
    const { masked, detail } = compareText(shown(first), shown(second), shown(ours));
    return { verdict: detail === undefined ? 'same error' : 'different error', masked, detail: detail ?? '' };
  }
  if (ours.exitCode !== 0) return { verdict: 'drydock failed', masked: 0, detail: ours.stderr.trim().slice(0, 600) };
  const out = compareText(first.stdout, second.stdout, ours.stdout);
  if (out.detail !== undefined) return { verdict: 'different', masked: out.masked, detail: out.detail };
  const err = compareText(sortUnordered(first.stderr), sortUnordered(second.stderr), sortUnordered(ours.stderr));
  if (err.detail !== undefined)
    return { verdict: 'different', masked: out.masked, detail: `standard error, ${err.detail}` };
  return { verdict: 'identical', masked: out.masked, detail: '' };
}

// Go iterates over maps in random order, which affects the order of warnings and schema violations: it is ignored for such lines.
function sortUnordered(text: string): string {
  const lines = text.split('\n');
  const isUnordered = (line: string): boolean =>
    /^(?:\S+\.go:\d+: |level=\w+ msg=")[Ww]arning: |^\s*- (?:at )?\S+: /.test(line);
  return [...lines.filter(isUnordered).sort(), ...lines.filter((line) => !isUnordered(line))].join('\n');
}

// The network error for a schema at a URL is not compared, because drydock does not use the network. The message does not end with
// a line break.
const networkFailure =
  /(?:HTTP request failed for .*?: )?dial tcp.*?: (?:no such host|server misbehaving|connection refused|i\/o timeout|no route to host|network is unreachable)/g;

/** A Helm to compare with. */
interface HelmRun {
  readonly version: HelmVersion;
  readonly helm: string;
}

function argumentsOf(item: ConformanceCase): readonly string[] {
  const values = item.valuesFile === undefined ? [] : ['-f', item.valuesFile];
  return ['template', 'release-name', '.', ...values, ...settingsOf(item)];
}

// The settings in the comments of a values file, as written by `drydock cases`.
function settingsOf({ chart, valuesFile }: ConformanceCase): readonly string[] {
  if (valuesFile === undefined) return [];
  const file = resolve(chart, valuesFile);
  const words = readCaseWords(readFileSync(file, 'utf8'), file);
  const { kubeVersion, apiVersions, isUpgrade } = targetOfCase([words], {});
  return [
    ...(kubeVersion === undefined ? [] : ['--kube-version', kubeVersion]),
    ...apiVersions.flatMap((name) => ['--api-versions', name]),
    ...(isUpgrade ? ['--is-upgrade'] : []),
  ];
}

async function compareCase({ version, helm }: HelmRun, item: ConformanceCase): Promise<Outcome> {
  const args = argumentsOf(item);
  const askHelm = (): Promise<Answer> => askBounded(helm, args, { cwd: item.chart });
  const first = await askHelm();
  const ours = await runInProcess([...args, '--helm', version], item.chart, helmEnvironment);
  let comparison = compareAnswers(first, first, ours);
  if (comparison.detail !== '') {
    // In the same second, a chart that prints the time looks stable.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    comparison = compareAnswers(first, await askHelm(), ours);
  }
  return { id: item.id, ...comparison };
}

function summarize(outcomes: readonly Outcome[]): string {
  const count = new Map<string, number>();
  for (const { verdict } of outcomes) count.set(verdict, (count.get(verdict) ?? 0) + 1);
  const good = (count.get('identical') ?? 0) + (count.get('same error') ?? 0) + (count.get('Helm panics') ?? 0);
  const masked = outcomes.filter((outcome) => outcome.verdict === 'identical' && outcome.masked > 0).length;
  const lines = [...count].map(([verdict, number]) => `\n  ${String(number).padStart(5)} ${verdict}`);
  const percent = ((100 * good) / Math.max(1, outcomes.length)).toFixed(2);
  return `${outcomes.length} cases, ${good} the same as Helm (${percent} %), ${masked} of them with random lines masked${lines.join('')}`;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    filter: { type: 'string', multiple: true },
    helm: { type: 'string', default: 'both' },
  },
});
if (positionals.length === 0) {
  console.error('usage: npm run conformance -- DIR… [--helm VERSION,…|both] [--filter TEXT]');
  process.exit(2);
}
const workspace = join(cacheDirectory, 'conformance');
await mkdir(workspace, { recursive: true });
const roots = positionals.map((folder) => resolve(folder));
const cases = (await listCases(roots, workspace)).filter(
  ({ id }) => flags.filter === undefined || flags.filter.some((text) => id.includes(text)),
);
for (const version of versionsOf(flags.helm)) {
  const helm = await helmProgram(version);
  const found: Outcome[] = [];
  for (const item of cases) {
    const outcome = await compareCase({ version, helm }, item);
    found.push(outcome);
    if (isAlike(outcome)) continue;
    process.exitCode = 1;
    console.log(`${outcome.verdict}: ${outcome.id}\n  ${outcome.detail}`);
  }
  console.log(`Helm ${version}: ${summarize(found)}`);
}

function isAlike({ verdict }: Outcome): boolean {
  return verdict === 'identical' || verdict === 'same error' || verdict === 'Helm panics';
}

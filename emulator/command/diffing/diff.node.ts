// `drydock diff`: what changes in meaning between two Orders, charts, sets of values, versions or rendered manifests.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Difference, diffObjects, isDifference } from '../../../render/diff/difference.ts';
import { formatDifference } from '../../../render/diff/text.ts';
import { GoError } from '../../../render/go/value.ts';
import { withCauses } from '../../../render/impact/attribution.ts';
import type { SourcedDocument } from '../../../render/manifest/source.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { ownVersion } from '../own-files.node.ts';
import { tellFailure } from '../rendering/order-input.node.ts';
import { changeIssues, restartIssues } from '../reporting/changes.ts';
import type { Report } from '../reporting/model.ts';
import { askedReports } from '../reporting/out.node.ts';
import { paintDifference } from '../style.ts';
import { hasLater, laterFlags } from './later-flags.ts';
import { readRule, ruleText } from './rules.ts';
import { type ReadSide, readSide } from './sides.node.ts';

/** Tells a difference. Gives 0 where nothing differs, 1 where something does, 2 where a side is at fault. Throws UsageError. */
export async function diffCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [first, second, ...more] = flags.args;
  if (first === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock diff" takes two Orders, charts, manifests or folders of them; or one, and flags that begin with --new-',
    );
  }
  if (second === undefined && !hasLater(flags)) {
    throw new UsageError(
      `name what ${first} is compared with, or give it other values: --new-values, --new-set, --new-kube-version …`,
    );
  }
  if (first === '-' && second === '-') throw new UsageError('standard input can be one side alone');
  const rules = flags.list('ignore').map(readRule);
  const reports = askedReports(flags, io);
  const before = await sideOf(first, flags, io);
  const after = before && (await sideOf(second ?? first, laterFlags(flags), io));
  if (before === undefined || after === undefined) return 2;
  checkValues([before, after], flags);
  const difference = compare([before, after], flags, io, rules);
  if (difference === undefined) return 2;
  tell(difference, flags, io, reports.takesOutput);
  reports.write(reportOf(difference, flags.args, { folder: folderOf(second ?? first, after, io) }));
  return isDifference(difference) ? 1 : 0;
}

// Gives nothing for a side at fault, once that is told.
async function sideOf(word: string, flags: ParsedFlags, io: CommandContext): Promise<ReadSide | undefined> {
  try {
    return await readSide(word, flags, io);
  } catch (error) {
    tellFault(error, word, io);
    return undefined;
  }
}

function compare(
  [before, after]: readonly [ReadSide, ReadSide],
  flags: ParsedFlags,
  io: CommandContext,
  ignore: ReturnType<typeof readRule>[],
): Difference | undefined {
  // Beside what a cluster or another tool printed, the namespace of a release counts only where it was given.
  const isNamed = before.isRendered === after.isRendered || flags.has('namespace') || flags.has('new-namespace');
  const sideFor = ({ documents }: ReadSide) => ({
    documents: isNamed ? documents : documents.map(({ path, content }) => ({ path, content })),
  });
  const { DRYDOCK_SECRET_KEY: secretKey } = io.env;
  try {
    const difference = diffObjects(sideFor(before), sideFor(after), {
      ignore,
      all: flags.on('all'),
      showSecrets: flags.on('show-secrets'),
      ...(secretKey ? { secretKey } : {}),
    });
    return withCauses(asRendered(difference, [before, after]), before.releases, after.releases);
  } catch (error) {
    tellFault(error, '', io);
    return undefined;
  }
}

// Causes are found in what was rendered, not in what stands for random values.
function asRendered(difference: Difference, [before, after]: readonly [ReadSide, ReadSide]): Difference {
  const rendered = ({ originals }: ReadSide, document: SourcedDocument): SourcedDocument => {
    return { ...document, content: originals.get(document.content.trim()) ?? document.content };
  };
  const objects = difference.objects.map(({ documents, ...object }) => ({
    ...object,
    documents: {
      ...(documents.before && { before: rendered(before, documents.before) }),
      ...(documents.after && { after: rendered(after, documents.after) }),
    },
  }));
  return { ...difference, objects };
}

// An Order has its own values, and a manifest has none.
function checkValues(sides: readonly ReadSide[], flags: ParsedFlags): void {
  if (sides.some(({ isChart }) => isChart)) return;
  const given = ['values', 'set', 'set-string', 'set-json', 'set-file', 'set-literal', 'namespace', 'release'];
  const flag = given.flatMap((name) => [name, `new-${name}`]).find((name) => flags.isGiven(name));
  if (flag !== undefined) throw new UsageError(`--${flag} is for charts, and neither side is one`);
}

function tellFault(error: unknown, word: string, io: CommandContext): void {
  if (error instanceof GoError) io.stderr(`${io.err.red('Error:')} ${word}: ${error.message}\n`);
  else tellFailure(error, undefined, io, word);
}

// Of a chart on the disk the lines of its templates can be pointed at.
function folderOf(word: string, { isChart }: ReadSide, io: CommandContext): string {
  return isChart && statSync(resolve(io.cwd, word), { throwIfNoEntry: false })?.isDirectory() === true
    ? word.replace(/\/+$/, '')
    : '';
}

function reportOf(difference: Difference, words: readonly string[], { folder }: { readonly folder: string }): Report {
  const file = words.at(-1) ?? '';
  const title = words.join(' and ');
  const objects = difference.objects.map(({ documents: _, ...object }) => object);
  return {
    command: 'diff',
    version: ownVersion(),
    time: new Date(),
    files: [
      {
        file,
        issues: [
          ...objects.flatMap((object) => changeIssues(object, { folder, file })),
          ...restartIssues(difference, file),
        ],
      },
    ],
    differences: [{ title, summary: difference.summary, ignored: difference.ignored, changes: objects, texts: [] }],
    data: { ...difference, objects },
    text: formatDifference(difference),
  };
}

function tell(difference: Difference, flags: ParsedFlags, io: CommandContext, isQuiet: boolean): void {
  for (const rule of difference.unusedRules) {
    io.stderr(`${io.err.yellow('Warning:')} --ignore ${JSON.stringify(ruleText(rule))} fits nothing\n`);
  }
  if (isQuiet) return;
  if (flags.on('json')) {
    const objects = difference.objects.map(({ documents: _, ...object }) => object);
    io.stdout(`${JSON.stringify({ ...difference, objects }, null, 2)}\n`);
  } else if (isDifference(difference) || !io.quiet) {
    io.stdout(paintDifference(formatDifference(difference), io.out));
  }
}

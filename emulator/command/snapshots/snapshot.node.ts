// `drydock snapshot`: Orders and charts rendered and compared with what is recorded in the repository, for a CI job.

import { join, resolve } from 'node:path';
import { orderOutputs } from '../../../render/snapshot/order-files.ts';
import { askMeant } from '../../suggest.ts';
import { readRule, ruleText } from '../diffing/rules.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { progressOf } from '../progress.ts';
import { SnapshotCoverage } from './coverage.node.ts';
import { compareInput } from './input.node.ts';
import { orphans, snapshotInputs, snapshotNames } from './inputs.node.ts';
import type { Outcome } from './outcome.ts';
import { outcomeText, updateText } from './text.ts';

/** Compares Orders and charts with their snapshots. Gives 0 when all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const { inputs, isWhole } = await snapshotInputs(flags.args, io.cwd);
  checkOutputs(flags);
  const rules = flags.list('ignore').map(readRule);
  const names = snapshotNames(inputs, io.cwd);
  const progress = progressOf(io, inputs.length);
  const outcomes: Outcome[] = [];
  const coverage = new SnapshotCoverage(flags, io);
  const stderr = (text: string): void => {
    progress.clear();
    io.stderr(text);
  };
  for (const input of inputs) {
    progress.tell(input);
    const name = names.get(input) as string;
    const outcome = await compareInput({ input, name }, { flags, io: { ...io, stderr }, coverage, rules });
    progress.clear();
    outcomes.push(outcome);
    if (!flags.on('json')) tell(outcome, flags, io);
    if (flags.on('bail') && isBad(outcome, flags)) break;
  }
  tellEnd(outcomes, rules, flags, io);
  if (isWhole && !io.quiet) tellOrphans([...names.values()], flags, io);
  const isShort = coverage.tell(flags.on('json') ? io.stderr : io.stdout);
  return isShort || outcomes.some((outcome) => isBad(outcome, flags)) ? 1 : 0;
}

function isBad({ isFault, cases, meaning }: Outcome, flags: ParsedFlags): boolean {
  const differs = !flags.on('update') && meaning.files.length > 0;
  return isFault || differs || cases.some(({ status }) => status === 'fault');
}

function tell(outcome: Outcome, flags: ParsedFlags, io: CommandContext): void {
  const { isFault, files, cases, meaning } = outcome;
  const isUpdate = flags.on('update');
  const isAllFault = files === 0 && cases.some(({ status }) => status === 'fault');
  if (isFault || isAllFault || (io.quiet && (isUpdate || meaning.files.length === 0))) return;
  io.stdout(isUpdate ? updateText(outcome) : outcomeText(outcome, { style: io.out, lines: flags.on('lines') }));
  if (isUpdate)
    for (const { object, path, file, line } of outcome.random) {
      io.stdout(`  <random> ${object} ${path}, written by ${file}${line === 0 ? '' : `:${line}`}\n`);
    }
}

function tellEnd(
  outcomes: readonly Outcome[],
  rules: ReturnType<typeof readRule>[],
  flags: ParsedFlags,
  io: CommandContext,
): void {
  const isUpdate = flags.on('update');
  const unused = rules.filter((rule) => {
    const text = ruleText(rule);
    return outcomes.every(({ meaning }) => meaning.unusedRules.some((one) => ruleText(one) === text));
  });
  for (const rule of isUpdate ? [] : unused) {
    io.stderr(`${io.err.yellow('Warning:')} --ignore ${JSON.stringify(ruleText(rule))} fits nothing\n`);
  }
  if (flags.on('json')) {
    io.stdout(`${JSON.stringify({ inputs: outcomes.map(jsonOf), updated: isUpdate }, null, 2)}\n`);
    return;
  }
  const old = isUpdate ? [] : outcomes.filter(({ isOld }) => isOld);
  if (old.length > 0 && !io.quiet) {
    const which = old.map(({ snapshot }) => snapshot).join(', ');
    io.stderr(`${io.err.yellow('Note:')} recorded by an older drydock, and renewed by --update: ${which}\n`);
  }
  if (!isUpdate && outcomes.some(({ meaning }) => meaning.files.length > 0)) {
    io.stderr('Some snapshots do not match. If the changes are meant, record them with --update.\n');
  }
}

/** Gives an outcome as a program reads it. */
function jsonOf(outcome: Outcome): unknown {
  const { input, snapshot, isFault, cases, files, meaning, random } = outcome;
  if (isFault) return { input, status: 'fault', message: cases[0]?.message };
  const faults = cases
    .filter(({ status }) => status === 'fault')
    .map(({ name, valuesFiles, message }) => ({ case: name, valuesFiles, message }));
  const { files: changed, alike, ...difference } = meaning;
  const changes = changed.map(({ path, status, diff }) => ({ path, status, diff }));
  const status = faults.length > 0 ? 'fault' : changes.length === 0 ? 'same' : 'different';
  return {
    input,
    snapshot,
    status,
    files,
    cases,
    changes,
    alike,
    difference,
    random,
    ...(faults.length > 0 && { faults }),
  };
}

function checkOutputs(flags: ParsedFlags): void {
  for (const output of flags.list('output')) {
    if (!(orderOutputs as readonly string[]).includes(output)) {
      throw new UsageError(
        `--output takes ${orderOutputs.join(', ')}, not "${output}"${askMeant(output, orderOutputs)}`,
      );
    }
  }
}

// What an earlier run recorded and no input of this one is called. Such folders are told, and left alone.
function tellOrphans(names: readonly string[], flags: ParsedFlags, io: CommandContext): void {
  const folder = flags.text('snapshots') || 'snapshots';
  for (const name of orphans(resolve(io.cwd, folder), names)) {
    io.stderr(
      `${io.err.yellow('Note:')} ${join(folder, name)} belongs to no input of this run; remove it if nothing makes it any more\n`,
    );
  }
}

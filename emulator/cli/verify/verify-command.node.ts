// The command `verify`: reports differences between a real deployment and the emulator.

import { type ParsedFlags, UsageError } from '../../../render/cli/flags.ts';
import type { CommandContext } from '../../../render/cli/program.ts';
import { ownVersion } from '../../../render/core/own-files.node.ts';
import { formatReport } from '../../../render/report/format.ts';
import { type StepResult, type VerifyResult, verify } from './verify.ts';

/** Runs `verify` and returns the exit code: 0, or 1 where something differs. Throws UsageError, VerifyError. */
export async function verifyCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length > 0) throw new UsageError(`"drydock verify" takes no arguments, not "${flags.args[0]}"`);
  const against = flags.text('against');
  if (against === undefined || !/^https?:$/.test(URL.canParse(against) ? new URL(against).protocol : '')) {
    throw new UsageError('--against needs the URL of a deployment, such as https://platform.example.com');
  }
  const token = flags.text('token') ?? io.env.DRYDOCK_TOKEN;
  if (token === undefined || token === '') {
    throw new UsageError('the access token is missing', 'Pass --token TOKEN or set DRYDOCK_TOKEN.');
  }
  if (!/^[\x21-\x7e]+$/.test(token.trim())) {
    throw new UsageError('the access token has characters that a header cannot hold', 'Write it on one line.');
  }
  const result = await verify({ against, token, write: flags.on('write') });
  io.stdout(formats[(flags.text('format') ?? 'text') as keyof typeof formats](result));
  return result.steps.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

const formats = {
  text: formatText,
  json: (result: VerifyResult) => `${JSON.stringify(result, null, 2)}\n`,
  junit: formatXml,
};

function formatText({ steps }: VerifyResult): string {
  const width = Math.max(...steps.map(({ name }) => name.length));
  const lines = steps.flatMap((step) => [
    `${wordOf(step).padEnd(8)}${step.name.padEnd(width)}  ${step.method} ${step.path}${step.skipped === undefined ? '' : `: ${step.skipped}`}`,
    ...step.differences.map(({ path, message }) => `        ${path} ${message}`),
  ]);
  const count = (word: string): number => steps.filter((step) => wordOf(step) === word).length;
  const total = `${count('ok')} of ${steps.length} steps agree, ${count('differs')} differ, ${count('skipped')} skipped`;
  return `${[...lines, '', total].join('\n')}\n`;
}

function wordOf({ skipped, differences }: StepResult): string {
  return skipped !== undefined ? 'skipped' : differences.length > 0 ? 'differs' : 'ok';
}

function formatXml({ against, steps }: VerifyResult): string {
  const cases = steps.map(({ name, milliseconds, differences }) => ({
    name,
    milliseconds,
    issues: differences.map(({ path, message }) => ({ path, message, severity: 'error' as const, file: against })),
  }));
  const files = [{ file: against, issues: [], cases }];
  return formatReport({ version: ownVersion(), time: new Date(), command: 'verify', files }, 'junit');
}

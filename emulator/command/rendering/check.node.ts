// `drydock check`: every fault of an Order at once, with place, severity and mend; nothing is printed of what it renders.

import { inspectOrder } from '../../../render/rendered-order.ts';
import { parseFlags } from '../flags.ts';
import { formatHelp } from '../help.ts';
import type { CommandIo } from '../io.ts';
import { type OrderInput, orderFlags, readInput, tellFailure, tellIssues } from './order-input.node.ts';

/** Checks an Order. Gives 0 without errors (warnings are told), 1 with any. Throws UsageError. */
export async function checkCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = parseFlags(orderFlags, argv);
  if (flags.help) {
    io.stdout(helpText());
    return 0;
  }
  let input: OrderInput | undefined;
  try {
    input = await readInput('check', flags, io);
    const issues = await inspectOrder(input.text.value, input.options);
    tellIssues(issues, input.text, io);
    const errors = issues.filter((issue) => issue.severity === 'error').length;
    const warnings = issues.length - errors;
    io.stdout(`${count(errors, 'error')}, ${count(warnings, 'warning')}\n`);
    return errors === 0 ? 0 : 1;
  } catch (error) {
    return tellFailure(error, input?.text, io);
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function helpText(): string {
  return formatHelp({
    usage: 'drydock check ORDER [flags]',
    about: [
      'Tells every fault of an Order: words that are no legal names, charts that are missing or do not render,',
      'kinds that nothing defines, objects that two packages make, waits that match nothing.',
    ],
    flags: orderFlags,
    examples: ['drydock check order.yaml', 'drydock check order.json --charts ./charts'],
    notes: ['Exit codes: 0 no errors, 1 errors, 2 wrong usage. Warnings alone are fine.'],
  });
}

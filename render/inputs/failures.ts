// Formats why an input does not render.

import { explanationOf, type Issue, RenderError } from '../core/errors.ts';
import { PackageError } from '../engine/packages.ts';
import { formatIssue, type OrderText } from '../order/read.ts';

// Nobody reads more.
const mostReported = 1000;

/** Formats issues, one line each, with their places. At most 1000 are listed, errors first. */
export function formatOrderIssues(issues: readonly Issue[], text: OrderText): string {
  const isError = ({ severity }: Issue): boolean => severity === 'error';
  const listed =
    issues.length <= mostReported
      ? issues
      : [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))].slice(0, mostReported);
  const lines = listed.map((issue) => `${formatIssue(issue, text.placeOf(issue.path))}\n`);
  const rest = issues.length - listed.length;
  if (rest > 0) lines.push(`and ${rest} more: drydock check --format json lists them all\n`);
  return lines.join('');
}

/**
 * Formats why an input does not render: the issues of an Order, or the error with its place, hint and explanation. `subject` names the
 * input if the error has no place in an Order. Anything but a RenderError is rethrown.
 */
export function formatFailure(error: unknown, text: OrderText | undefined, subject = ''): string {
  if (!(error instanceof RenderError)) throw error;
  if (text !== undefined && error.code === 'ORDER_INVALID' && error.issues.length > 0) {
    return formatOrderIssues(error.issues, text);
  }
  const why = explanationOf(error);
  const hint = error.hint === undefined || why !== '' ? '' : `\n${error.hint}`;
  const isOfOrder = text !== undefined && error instanceof PackageError;
  const place = isOfOrder ? text.placeOf(error.memberPath) : error.place;
  const isNamed = place === undefined || (!isOfOrder && error.message.includes(place.file));
  const subjects = error.message.includes(subject) ? [] : [subject];
  const parts = isNamed ? subjects : [place.file, place.line, place.column];
  const where = parts
    .filter((part) => part !== undefined)
    .map((part) => `${part}:`)
    .join('');
  return `Error: ${where}${where === '' ? '' : ' '}${error.message.trimEnd()}${hint}\n${why}`;
}

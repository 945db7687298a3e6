// Formats why an input does not render.

import { callback, checkArguments, having, kind, listOf, optional, text } from '../core/arguments.ts';
import { explanationOf, type Issue, RenderError } from '../core/errors.ts';
import { PackageError } from '../engine/packages.ts';
import { formatIssue, type OrderText } from '../order/read.ts';

// Nobody reads more.
const mostReported = 1000;

const orderText = having<OrderText>('the text of an Order, as returned by readOrder', { placeOf: callback });
const issueList = listOf(having<Issue>('an issue', { path: text, message: text, severity: text }));

/**
 * Formats issues of an Order, one line each, with their places in its text. At most 1000 are listed, errors first. Throws ARGUMENT_INVALID.
 */
export function formatOrderIssues(issues: readonly Issue[], order: OrderText): string {
  checkArguments('formatOrderIssues', ['issues', issues, issueList], ['order', order, orderText]);
  const isError = ({ severity }: Issue): boolean => severity === 'error';
  const listed =
    issues.length <= mostReported
      ? issues
      : [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))].slice(0, mostReported);
  const lines = listed.map((issue) => `${formatIssue(issue, order.placeOf(issue.path))}\n`);
  const rest = issues.length - listed.length;
  if (rest > 0) lines.push(`and ${rest} more: drydock check --format json lists them all\n`);
  return lines.join('');
}

/** Formats why an input does not render, as `formatError` does. Anything but a RenderError is rethrown. */
export function formatFailure(error: unknown, order: OrderText | undefined, subject = ''): string {
  if (!(error instanceof RenderError)) throw error;
  return formatError(error, order, subject);
}

const renderError = kind('a RenderError', (value) => value instanceof RenderError);

/**
 * Formats why an input does not render: the issues of an Order, or the error with its place, hint and explanation. `order` is the text of
 * the Order, undefined for a chart. `subject` names the input if the error has no place in an Order; default: nothing does. Throws
 * ARGUMENT_INVALID.
 */
export function formatError(error: RenderError, order?: OrderText, subject = ''): string {
  checkArguments(
    'formatError',
    ['error', error, renderError],
    ['order', order, optional(orderText)],
    ['subject', subject, text],
  );
  if (order !== undefined && error.code === 'ORDER_INVALID' && error.issues.length > 0) {
    return formatOrderIssues(error.issues, order);
  }
  const why = explanationOf(error);
  const hint = error.hint === undefined || why !== '' ? '' : `\n${error.hint}`;
  const isOfOrder = order !== undefined && error instanceof PackageError;
  const place = isOfOrder ? order.placeOf(error.memberPath) : error.place;
  const isNamed = place === undefined || (!isOfOrder && error.message.includes(place.file));
  const subjects = error.message.includes(subject) ? [] : [subject];
  const parts = isNamed ? subjects : [place.file, place.line, place.column];
  const where = parts
    .filter((part) => part !== undefined)
    .map((part) => `${part}:`)
    .join('');
  return `Error: ${where}${where === '' ? '' : ' '}${error.message.trimEnd()}${hint}\n${why}`;
}

// The possible responses of a route: declared ones, and those implied by its rules; and validation against them.

import { checkJson, formatSchemaViolations } from '../store/check.ts';
import { decodeText, type Json } from '../store/json.ts';
import { jsonType, type Reply } from './message.ts';
import { problemSchema } from './problem.ts';
import type { AnswerRule, Route } from './route.ts';

/** Returns all responses of a route: those it declares and those implied by its rules. */
export function answersOf(route: Route): Readonly<Record<number, AnswerRule>> {
  const answers: Record<number, AnswerRule> = { ...route.answers };
  const add = (status: number, component: string, description: string): void => {
    answers[status] ??= { component, description, schema: problemSchema };
  };
  if (route.access === 'basic') add(401, 'WrongPassword', 'Login or password is wrong');
  else if (route.access !== 'public') add(401, 'Unauthorized', 'The token is missing or invalid');
  if (route.access === 'admin')
    add(403, 'AdminRequired', 'The caller is not a site administrator, or the account may not sign in');
  else if (route.access !== 'public') add(403, 'Forbidden', 'The account is inactive or may not sign in');
  if (route.space === 'control') add(403, 'ForeignOrigin', 'A page of a foreign origin calls');
  if (route.body) {
    add(413, 'ContentTooLarge', 'The body is too large');
    add(422, 'InvalidBody', 'The body is not valid JSON, or not of the right shape');
  }
  add(422, 'InvalidQuery', 'A query parameter is wrong, or in strict mode not declared');
  return answers;
}

/** Returns how a response violates the route's declaration, or undefined. */
export function answerFault(route: Route, { status, json, text }: Reply): string | undefined {
  const rule = answersOf(route)[status];
  if (!rule) return `answer: the route declares no ${status}`;
  if (text?.type === jsonType) return writtenFault(rule, text.content);
  if (text) return rule.type ? undefined : `answer: the route declares no text for ${status}`;
  if (json === undefined) return rule.schema && !rule.type ? `answer: ${status} has no body` : undefined;
  if (!rule.schema) return `answer: the route declares no body for ${status}`;
  return faultIn(rule, json);
}

// Longer ones are from the engine, and validating them would block all other calls.
const longestWritten = 1024 * 1024;

function writtenFault(rule: AnswerRule, content: string | Uint8Array): string | undefined {
  if (content.length > longestWritten) return undefined;
  return faultIn(rule, JSON.parse(typeof content === 'string' ? content : decodeText(content)) as Json);
}

function faultIn({ check, schema = {} }: AnswerRule, json: Json): string | undefined {
  const faults = checkJson(check ?? schema, json);
  return faults.length > 0 ? `answer: ${formatSchemaViolations('body', faults)}` : undefined;
}

// Email addresses of the caller: list, add, delete; each request is atomic.

import { empty, ok, type Reply } from '../app/message.ts';
import { invalid, missing } from '../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import type { Schema } from '../store/compile.ts';
import { fold } from '../store/fields.ts';
import type { Json } from '../store/json.ts';
import type { EmailRow } from '../store/rows.ts';
import { booleanSchema, formatRow, listSchema, objectSchema, problemAnswer, textSchema } from './shapes.ts';
import { isEmailAddress } from './validation.ts';

const route = routeBuilder({ section: 'Emails', access: 'token' });

const emailSchema = objectSchema('Email', { email: textSchema, verified: booleanSchema, primary: booleanSchema });

// Each is a row to write, and all other calls wait meanwhile.
const mostAddresses = 200;

function emailsOption<const More extends Schema>(title: string, more: More) {
  const emails = { type: 'array', items: { type: 'string' }, maxItems: mostAddresses, ...more } as const;
  return { title, type: 'object', required: ['emails'], properties: { emails } } as const;
}

export const emailRoutes: readonly Route[] = [
  route('listEmails', 'GET /user/emails', {
    summary: "List the caller's addresses",
    emulation: 'From the store, by id',
    answers: { 200: { description: 'The addresses', schema: listSchema(emailSchema) } },
    run: (call) => ok(listEmails(call)),
  }),
  route('addEmails', 'POST /user/emails', {
    summary: 'Add addresses',
    emulation:
      'Adds all addresses or none (the real service may add some); they are verified at once unless `confirmEmail` is on',
    body: {
      description: 'The new addresses',
      schema: emailsOption('CreateEmailOption', { minItems: 1 }),
      example: { emails: ['ada@work.example.com'] },
    },
    run: (call, { emails }) => addEmails(call, emails),
    answers: {
      201: { description: 'All addresses of the caller', schema: listSchema(emailSchema) },
      422: problemAnswer('The list is empty, or an address is invalid or in use'),
    },
  }),
  route('deleteEmails', 'DELETE /user/emails', {
    summary: 'Delete addresses',
    emulation: 'All or nothing',
    body: {
      description: 'The addresses to delete',
      schema: emailsOption('DeleteEmailOption', {}),
      example: { emails: ['ada.moreno@example.org'] },
    },
    run: (call, { emails }) => deleteEmails(call, emails),
    answers: {
      204: { description: 'Deleted; also for an empty list' },
      404: problemAnswer("An address is not the caller's"),
      422: problemAnswer('An address is the primary one'),
    },
  }),
];

function listEmails({ store, caller }: Call): Json {
  const rows = store.email.many('user', caller.id);
  return rows.map((row) => formatRow(emailSchema, row));
}

function addEmails(call: Call, emails: readonly string[]): Reply {
  const { store, caller, settings } = call;
  const seen = new Set<string>();
  for (const [at, email] of emails.entries()) {
    const quoted = JSON.stringify(email);
    if (!isEmailAddress(email)) throw invalid(`emails[${at}]: ${quoted} is not an e-mail address`);
    if (store.email.first('address', fold(email))) throw invalid(`emails[${at}]: ${quoted} is in use already`);
    if (seen.has(fold(email))) throw invalid(`emails[${at}]: ${quoted} is there twice`);
    seen.add(fold(email));
  }
  for (const email of emails) {
    store.email.add({ user: caller.id, email, verified: !settings.confirmEmail, primary: false });
  }
  return { status: 201, json: listEmails(call) };
}

function deleteEmails(call: Call, emails: readonly string[]): Reply {
  const { store, caller } = call;
  const rows: EmailRow[] = [];
  for (const [at, email] of emails.entries()) {
    const row = store.email.first('address', fold(email));
    const quoted = JSON.stringify(email);
    if (row?.user !== caller.id) throw missing(`emails[${at}]: ${quoted} is not one of your addresses`);
    if (row.primary) throw invalid(`emails[${at}]: ${quoted} is your primary address, which cannot be deleted`);
    rows.push(row);
  }
  for (const { id } of rows) store.email.remove(id);
  return empty(204);
}

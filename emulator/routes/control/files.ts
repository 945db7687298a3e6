// Control routes for uploads: charts are added to the available ones, Orders and values are returned as texts.

import { ok } from '../../app/message.ts';
import { type Call, type Route, routeBuilder } from '../../app/route.ts';
import { chartEntry } from '../../rendering/catalog.ts';
import { anyObject, integerSchema, listSchema, objectSchema, problemAnswer, textSchema } from '../shapes.ts';

const route = routeBuilder({ space: 'control', section: 'Control: drafts', access: 'public' });

export const fileRoutes: readonly Route[] = [
  route('takeFiles', 'POST /files', {
    summary: 'Add the charts of archives, folders and bundles; recognize Orders and values',
    emulation: 'Only in the emulator; the charts are available in every world until it ends',
    body: {
      description: 'Files with their paths, each in base64',
      unread: true,
      schema: objectSchema('HandedFiles', {
        files: listSchema({
          type: 'object',
          required: ['path', 'data'],
          properties: { path: textSchema, data: textSchema },
        }),
      }),
    },
    answers: {
      200: {
        description:
          '`charts` as in the list of charts, `orders` and `values` with name and text, and why others are `refused`',
        schema: anyObject,
      },
      422: problemAnswer('The body is not a list of files, or takes too long to unpack'),
      503: problemAnswer('Too many Orders wait to be checked or rendered'),
    },
    run: takeFiles,
  }),
  route('forgetFiles', 'DELETE /files', {
    summary: 'Remove the uploaded charts',
    emulation: 'Only in the emulator; charts of folders, and the built-in ones, stay available',
    answers: {
      200: {
        description: 'The number of removed charts',
        schema: objectSchema('ForgottenFiles', { charts: integerSchema }),
      },
    },
    run: ({ services: { uploads } }) => ok({ charts: uploads.clear() }),
  }),
];

async function takeFiles({ services: { uploads, render }, bytes }: Pick<Call, 'services' | 'bytes'>) {
  const { charts, orders, values, refused } = await render({ task: 'unpack', body: bytes ?? new Uint8Array() });
  for (const chart of charts) uploads.add(chart);
  return ok({
    charts: charts.map(chartEntry),
    orders: orders.map((one) => ({ ...one })),
    values: values.map((one) => ({ ...one })),
    refused: refused.map((one) => ({ ...one })),
  });
}

// Pagination: the page and limit parameters, and the response headers.

import type { HeaderTable } from './message.ts';
import type { Call, Parameter } from './route.ts';

export const pageParameters: Readonly<Record<string, Parameter>> = {
  page: { description: 'Page number, from 1; anything else is page 1', schema: { type: 'integer', minimum: 1 } },
  limit: { description: 'Page size, at most the maximum of the service', schema: { type: 'integer', minimum: 1 } },
};

export const pageHeaders = ['X-Total-Count', 'Link'] as const;

/** A page of a list with `total` items: those from `start` up to `end`. */
export interface Page {
  readonly start: number;
  readonly end: number;
  readonly headers: HeaderTable;
}

export function readPage(call: Call, total: number): Page {
  const { pageSize, maxPageSize } = call.settings;
  const size = Math.min(positive(call.query('limit')) ?? pageSize, maxPageSize);
  const page = positive(call.query('page')) ?? 1;
  const last = Math.max(Math.ceil(total / size), 1);
  const links: string[] = [];
  const link = (rel: string, number: number): void => {
    const query = call.query('limit') === undefined ? `page=${number}` : `page=${number}&limit=${size}`;
    links.push(`<${call.apiUrl}${call.path}?${query}>; rel="${rel}"`);
  };
  if (page < last) {
    link('next', page + 1);
    link('last', last);
  }
  if (page > 1) {
    link('first', 1);
    link('prev', Math.min(page - 1, last));
  }
  const headers: Record<string, string> = { 'X-Total-Count': String(total) };
  if (links.length > 0) headers.Link = links.join(',');
  return { start: (page - 1) * size, end: page * size, headers };
}

// What exceeds 64 bits is not a number to the service.
function positive(text: string | undefined): number | undefined {
  const number = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 && number < 2 ** 63 ? number : undefined;
}

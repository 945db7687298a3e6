// Rows of custom models.

import { define, document, needed, text, word } from '../fields.ts';

/** Defines rows of custom models. */
export const record = define({
  description: 'A row of a model that the application defines',
  ids: 'number',
  fields: {
    model: needed(text('The name of the model', word)),
    value: needed(document('What the row holds')),
  },
  keys: { model: (row) => row.model },
  unique: [],
});

// The data library, loaded when the first row is written: it brings msw, GraphQL and date-fns along, half of the time that
// a start takes. CommonJS, because only `require` loads at once and on demand in Node and in every bundle.

exports.library = () => require('@mswjs/data');

// Generated inputs for tests: fast-check with one seed, so that a run of the tests is the same twice.
// `PROPERTY_SEED=N npm test -- doors` tries others; what they find becomes a row or an @example.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20250101) });

export { fc };

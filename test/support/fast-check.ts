// Generated inputs for tests: fast-check with a fixed seed, so that runs are reproducible. `PROPERTY_SEED=N npm test -- public-functions`
// tries others; add failing inputs as a row or an @example.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20250101) });

export { fc };

// The Helm versions that golden files, rows and vectors are recorded from.

import type { HelmVersion } from '../../render/core/helm-version.ts';

/** The recorded version of each major version. */
export const recordedHelms = { 3: '3.17.3', 4: '4.2.3' } as const satisfies Readonly<Record<3 | 4, HelmVersion>>;

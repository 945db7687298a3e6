// The list of all routes, used by the router, the OpenAPI documents, the README's table and the completeness tests.

import type { Route } from '../app/route.ts';
import { aboutRoutes } from './about.ts';
import { bucketRoutes } from './buckets.ts';
import { clusterRoutes } from './clusters.ts';
import { behaviorRoutes } from './control/behavior.ts';
import { fileRoutes } from './control/files.ts';
import { logRoutes } from './control/log.ts';
import { controlOrderRoutes } from './control/orders.ts';
import { previewRoutes } from './control/preview.ts';
import { stateRoutes } from './control/state.ts';
import { credentialRoutes } from './credentials.ts';
import { emailRoutes } from './emails.ts';
import { followRoutes } from './follow.ts';
import { inboxRoutes } from './inbox.ts';
import { msgbusRoutes } from './msgbus.ts';
import { orderRoutes } from './orders.ts';
import { organizationRoutes } from './organizations.ts';
import { sessionRoutes } from './session.ts';
import { passwordRoutes } from './sign-in/password.ts';
import { providerRoutes } from './sign-in/provider.ts';
import { tokenRoutes } from './tokens.ts';
import { validationRoutes } from './validation.ts';

/** The routes of the service, in the order of the API document. */
export const serviceRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...msgbusRoutes,
  ...emailRoutes,
  ...followRoutes,
  ...organizationRoutes,
  ...clusterRoutes,
  ...credentialRoutes,
  ...bucketRoutes,
  ...validationRoutes,
  ...inboxRoutes,
  ...orderRoutes,
  ...tokenRoutes,
  ...passwordRoutes,
  ...providerRoutes,
  ...aboutRoutes,
];

/** The routes that control the emulator. */
export const controlRoutes: readonly Route[] = [
  ...stateRoutes,
  ...behaviorRoutes,
  ...logRoutes,
  ...controlOrderRoutes,
  ...previewRoutes,
  ...fileRoutes,
];

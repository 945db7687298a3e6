// What a worker that renders runs, in a page.

import type { JobMessage } from './messages.ts';
import { createJobRunner } from './thread.ts';

const run = createJobRunner();
addEventListener('message', (event) => void run((event as MessageEvent<JobMessage>).data));

// Entry point `drydock/config`: the type of a configuration file.

import type { DrydockConfig } from './config-type.generated.ts';

export type { DrydockConfig } from './config-type.generated.ts';

/**
 * Returns a configuration back as it is, with its type checked: `export default defineConfig({ … })` in drydock.config.ts.
 *
 * @example
 * import { defineConfig } from 'drydock/config';
 *
 * export default defineConfig({
 *   charts: ['./charts'],
 *   snapshot: { inputs: ['orders/*.yaml'], kubeVersion: ['1.33', '1.37'] },
 *   serve: { port: 4010, fixtures: './fixtures', settings: { hosted: true } },
 * });
 */
export function defineConfig(config: DrydockConfig): DrydockConfig {
  return config;
}

// The Kubernetes versions of settings.

import { checkArguments, having, listOf, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { UsageError } from '../core/usage-error.ts';
import { createCapabilities } from '../values/capabilities.ts';
import type { RenderSettings } from './settings.ts';

const versionSettings = having<Pick<RenderSettings, 'kubeVersions'>>('settings', { kubeVersions: listOf(text) });

/**
 * Returns the Kubernetes versions of settings without duplicates, as requested, such as `1.31`. Throws UsageError for an invalid one,
 * ARGUMENT_INVALID.
 * @example
 * listKubeVersions({ kubeVersions: ['1.31', 'v1.31.0', '1.33'] }); // ['1.31', '1.33']
 */
export function listKubeVersions(settings: Pick<RenderSettings, 'kubeVersions'>): readonly string[] {
  checkArguments('listKubeVersions', ['settings', settings, versionSettings]);
  const { kubeVersions } = settings;
  const versions = new Map<string, string>();
  for (const word of kubeVersions) {
    const name = word.trim().replace(/^v/, '');
    const { version } = tryVersion(name);
    if (!versions.has(version)) versions.set(version, name);
  }
  return [...versions.values()];
}

function tryVersion(word: string): { readonly version: string } {
  try {
    if (word !== '') return createCapabilities({ kubeVersion: word }).kubeVersion;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new UsageError(`--kube-version: ${error.message}`, error.hint);
  }
  throw new UsageError('--kube-version has no version: give one or several, such as 1.29,1.31', undefined);
}

// Renders the files of a chart's snapshot, as `drydock snapshot --update` writes them, in a page and without Node.

import { loadChart } from '../../../render/chart/load.ts';
import { seededHost } from '../../../render/core/host.ts';
import { observeHost, withFewPrimes, withOtherRandomness } from '../../../render/engine/randomness.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import { decodeBase64 } from '../../../render/go/base64.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { formatSource } from '../../../render/manifest/source.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { normalizeFiles } from '../../../render/snapshot/normalize.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues, type ValuesFile } from '../../../render/values/user.ts';

/** A chart as sent to a page. */
export interface PageChart {
  /** Its files in base64, in reading order. */
  readonly files: readonly (readonly [path: string, base64: string])[];
  readonly cases: readonly { readonly name: string; readonly valuesFiles: readonly ValuesFile[] }[];
}

/** The result of a page: the files by name, and the errors by case; that of a chart has an empty name. */
export interface PageOutcome {
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly rejected: readonly (readonly [name: string, message: string])[];
}

/** Renders the cases of a chart as for a snapshot. */
export function renderPageChart({ files, cases }: PageChart): PageOutcome {
  const texts: [string, string][] = [];
  const rejected: [string, string][] = [];
  const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  try {
    const helm = helmOf();
    const bytes = files.map(([path, base64]) => [path, decodeBase64(base64)] as const);
    const chart = loadChart(new Map(bytes), { helm: helm.name });
    for (const { name, valuesFiles } of cases) {
      try {
        const values = mergeUserValues({ valuesFiles }, helm);
        const capabilities = createCapabilities({ helm, kubeVersion: '', apiVersions: [] });
        const options = { helm, name: 'release-name', namespace: 'default', values, capabilities };
        const host = () => withFewPrimes(seededHost({ seed: 'drydock' }), 'drydock');
        const watched = observeHost(host());
        const filesOf = (one: RenderedRelease) => {
          const crds = one.crds.map(formatSource).join('');
          const manifest = [`${name}.yaml`, formatTemplate(one, {})] as const;
          return new Map(crds === '' ? [manifest] : [manifest, [`${name}.crds.yaml`, crds]]);
        };
        const plain = filesOf(runInstall(chart, { ...options, host: watched.host }));
        const other = { ...options, host: withOtherRandomness(host()) };
        const twin = watched.usedRandom() ? filesOf(runInstall(chart, other)) : undefined;
        texts.push(...normalizeFiles(plain, { twin, secretKey: undefined, showSecrets: false }).files);
      } catch (error) {
        rejected.push([name, messageOf(error)]);
      }
    }
  } catch (error) {
    rejected.push(['', messageOf(error)]);
  }
  return { files: texts, rejected };
}

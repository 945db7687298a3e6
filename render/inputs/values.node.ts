// What settings pass to the rendering of a chart: the user's values, the cluster's capabilities, and randomness.

import { type Host, seededHost } from '../core/host.ts';
import { chooseVersions } from '../engine/kube-versions.ts';
import { withFewPrimes } from '../engine/randomness.ts';
import type { InstallOptions } from '../engine/release.ts';
import { readTextFile } from '../go/os.node.ts';
import { parseGoUrl } from '../go/url.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { type Capabilities, createCapabilities } from '../values/capabilities.ts';
import type { UserValues } from '../values/user.ts';
import { chartSettings, settingsForChart } from './chart-settings.node.ts';
import { readValuesFiles } from './files.node.ts';
import { kubeRangeOf } from './kube-ranges.node.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from './settings.ts';

type ValueSettings = Pick<RenderSettings, 'values' | 'set' | 'setString' | 'setJson' | 'setFile' | 'setLiteral'>;

/** Reads the values files and collects the other settings that set values. Throws VALUES_INVALID as `readValuesFiles` does. */
export async function readUserValues(settings: ValueSettings, io: RunIo, helm: Helm): Promise<UserValues> {
  const { set, setString, setJson, setFile, setLiteral } = settings;
  const valuesFiles = await readValuesFiles(settings.values, io, helm, readNamed);
  let input = await inputOfSetFile(settings, io);
  return {
    valuesFiles,
    setJson,
    set,
    setString,
    setFile,
    setLiteral,
    readFile: (path: string) => {
      if (path.trim() !== '-') return readNamed(path, io.cwd);
      // Standard input is empty when it is read again.
      const text = input;
      input = '';
      return text;
    },
  };
}

// Read in advance, because values are merged synchronously; empty if a values file is already standard input.
async function inputOfSetFile({ values, setFile }: ValueSettings, io: RunIo): Promise<string> {
  if (values.some((name) => name.trim() === '-')) return '';
  return setFile.some((text) => /=\s*-\s*(?:,|$)/.test(text)) ? io.stdin() : '';
}

// Helm parses a file name as a URL first, and refuses invalid ones: `50%.yaml`, `1:2`.
function readNamed(path: string, cwd: string): string {
  parseGoUrl(path);
  return readTextFile(path, cwd);
}

/** Returns the options of a release from settings, and from what was read for them. */
export function installOptions(
  { release, namespace, isUpgrade, skipSchemaValidation }: RenderSettings,
  read: Pick<InstallOptions, 'helm' | 'values' | 'capabilities' | 'schemas'>,
): InstallOptions {
  return { ...read, name: release, namespace, isUpgrade, skipSchemaValidation };
}

/** Returns the capabilities for the last of the Kubernetes versions. Throws as `createCapabilities` does. */
export function capabilitiesOf(
  { kubeVersions, apiVersions }: Pick<RenderSettings, 'kubeVersions' | 'apiVersions'>,
  helm: Helm,
): Capabilities {
  return createCapabilities({ helm, kubeVersion: kubeVersions.at(-1) ?? '', apiVersions });
}

/** Returns a deterministic host: the seed determines random values. Its keys use few primes. */
export function seededHostOf({ seed = 'drydock' }: Pick<RenderSettings, 'seed'>): Host {
  return withFewPrimes(seededHost({ seed }), seed);
}

/** Returns the settings for rendering a chart once: those of its first case and of the first Kubernetes version that it accepts. */
export function settingsForOnce(settings: RenderSettings, chart: string, cwd: string): RenderSettings {
  const own = settingsForChart(settings, chart, cwd);
  const [values] = chartSettings(settings, chart, cwd).values ?? [];
  const first = values === undefined ? own : { ...own, values: values.split(',') };
  const { kubeVersions } = own;
  const { accepted } = chooseVersions([kubeRangeOf(chart, cwd)], kubeVersions, helmOf(helmVersionOf(own)));
  const version = kubeVersions.length === 1 ? undefined : accepted[0];
  return version === undefined ? first : { ...first, kubeVersions: [version] };
}

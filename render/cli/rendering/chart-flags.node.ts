// Rendering options from flags: the user's values, the cluster's capabilities, and randomness.

import { type Host, seededHost } from '../../core/host.ts';
import { chooseVersions } from '../../engine/kube-versions.ts';
import { withFewPrimes } from '../../engine/randomness.ts';
import { parseGoUrl } from '../../go/url.ts';
import type { Helm } from '../../helm/helm.ts';
import { helmOf } from '../../helm/versions.ts';
import { type Capabilities, createCapabilities } from '../../values/capabilities.ts';
import type { UserValues } from '../../values/user.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { caseSettings, flagsFor, flagsForChart } from '../made-flags.node.ts';
import { kubeRangeOf } from './kube-range.node.ts';
import { helmVersionOf, readTextFile, readValuesFiles } from './read.node.ts';

/** Reads the values files and collects the flags that set values. Throws VALUES_INVALID as `readValuesFiles` does. */
export async function readUserValues(flags: ParsedFlags, io: CommandIo, helm: Helm): Promise<UserValues> {
  const valuesFiles = await readValuesFiles(flags.list('values'), io, helm, readNamed);
  let input = await inputOfSetFile(flags, io);
  return {
    valuesFiles,
    setJson: flags.list('set-json'),
    set: flags.list('set'),
    setString: flags.list('set-string'),
    setFile: flags.list('set-file'),
    setLiteral: flags.list('set-literal'),
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
async function inputOfSetFile(flags: ParsedFlags, io: CommandIo): Promise<string> {
  if (flags.list('values').some((name) => name.trim() === '-')) return '';
  return flags.list('set-file').some((text) => /=\s*-\s*(?:,|$)/.test(text)) ? io.stdin() : '';
}

// Helm parses a file name as a URL first, and refuses invalid ones: `50%.yaml`, `1:2`.
function readNamed(path: string, cwd: string): string {
  parseGoUrl(path);
  return readTextFile(path, cwd);
}

/** Returns the namespace of a command line or the environment. Default `default`. */
export function namespaceOf(flags: ParsedFlags, io: CommandIo): string {
  return (flags.has('namespace') ? flags.text('namespace') : io.env.HELM_NAMESPACE) || 'default';
}

/** Returns the capabilities from `--kube-version` and `--api-versions`. Throws as `createCapabilities` does. */
export function capabilitiesOf(flags: ParsedFlags, helm: Helm): Capabilities {
  return createCapabilities({
    helm,
    kubeVersion: flags.text('kube-version') ?? '',
    apiVersions: flags.list('api-versions'),
  });
}

/** Returns a deterministic host: `--seed` determines random values. Its keys use few primes. */
export function seededHostOf(flags: ParsedFlags): Host {
  const seed = flags.text('seed') ?? 'drydock';
  return withFewPrimes(seededHost({ seed }), seed);
}

/** Returns the flags of a command that renders a chart once: the first case and Kubernetes version in its settings. */
export function flagsForOnce(flags: ParsedFlags, chart: string, { cwd }: Pick<CommandIo, 'cwd'>): ParsedFlags {
  const own = flagsForChart(flags, chart, cwd);
  const [values] = caseSettings(flags, chart, cwd) ?? [];
  const first = values === undefined ? own : flagsFor(own, 'values', values.split(','));
  const { accepted } = chooseVersions(
    [kubeRangeOf(chart, { cwd })],
    own.list('kube-version'),
    helmOf(helmVersionOf(own)),
  );
  const isMatrix = own.list('kube-version').length > 1 && !flags.isGiven('kube-version');
  const version = isMatrix || own.list('kube-version').length === 0 ? accepted[0] : undefined;
  return version === undefined ? first : flagsFor(first, 'kube-version', version);
}

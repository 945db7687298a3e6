// The command `diff`. A pure table.

import { laterSpecs } from '../diffing/later-flags.ts';
import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from './command.ts';
import { differenceFlags, globalFlags, jsonFlag, kubeVersionsFlag, orderFlags, reportFlag } from './shared.ts';
import { templateFlags } from './template.ts';

const valueFlags = ['values', 'set', 'set-string', 'set-json', 'set-literal', 'set-file'];

const renderingFlags: readonly FlagSpec[] = [
  ...templateFlags.filter(({ name }) => valueFlags.includes(name)),
  { name: 'namespace', short: 'n', type: 'string', placeholder: 'NAME', help: "namespace of a chart's release" },
  { name: 'release', type: 'string', placeholder: 'NAME', help: "name of a chart's release" },
  ...orderFlags.map((flag) => (flag.name === 'kube-version' ? kubeVersionsFlag : flag)),
];

/** The command `diff`. */
export const diffSpec: CommandSpec = {
  name: 'diff',
  operands: 'A [B]',
  summary: 'compare two Orders, charts or manifests by meaning',
  about: [
    'Compares two of these, in any mixture: an Order, a chart, a file or a folder of rendered YAML, what `kubectl get -o',
    'yaml` printed (- for standard input), or any of them in a revision of git, such as HEAD~1:charts/web. Two folders of',
    'charts are compared chart by chart. With A alone, flags that begin with --new- describe the new side: other',
    'values, another Kubernetes.',
    'Order, comments, quoting and folding are ignored. List items are matched as Kubernetes does, texts that',
    'are YAML, JSON or TOML are compared as such, renamed objects are found, risks are marked, and each difference is',
    'shown with the value, template line or version that caused it.',
  ],
  flags: [...differenceFlags, reportFlag, jsonFlag, ...renderingFlags, ...laterSpecs(renderingFlags), ...globalFlags],
  offers: 'files',
  examples: [
    'drydock diff HEAD~1:charts/web charts/web -f values/large.yaml',
    'drydock diff charts/web --new-set image.tag=2.2.0',
    'drydock diff charts/web --kube-version 1.29 --new-kube-version 1.33',
    'drydock diff order.yaml order-next.yaml --json',
    'kubectl get deploy,svc,cm -n shop -o yaml | drydock diff - charts/web --namespace shop',
    "drydock diff before/ after/ --ignore 'kind=Deployment path=spec.replicas because an autoscaler sets it'",
  ],
  notes: [
    'The variable DRYDOCK_SECRET_KEY is the key for fingerprints of secrets.',
    'Exit codes: 0 no difference, 1 differences, 2 an invalid input or wrong usage.',
  ],
};

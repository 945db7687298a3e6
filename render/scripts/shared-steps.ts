// The steps that the scripts for Helm and for kubectl share.

import type { Choice, Input, ScriptWord, Step } from './steps.ts';
import type { PackageView, ScriptView, TargetView, WaitView } from './views.ts';

/** The limit that steps give to tools, in the form of kubectl and of Helm. */
export const timeoutWords = {
  kubectl: ['--timeout=', { setting: 'timeout' }, 's'] as ScriptWord,
  helm: [{ setting: 'timeout' }, 's'] as ScriptWord,
};

/** Gives what chooses a package. */
export function choiceOf({ number, namespace, release }: PackageView, stem: string): Choice {
  return { number, namespace, release, part: `${stem}_${number}` };
}

/** Gives the first step of a package. */
export function beginStep({ number, fullName, chart }: PackageView): Step {
  return { do: 'begin', words: [String(number), fullName, chart.label] };
}

/** Gives the waits that the Order names: CRDs that the package brings while it runs, then whatever else. */
export function waitSteps({ crds, waits, namespace }: PackageView): Step[] {
  return [
    ...(crds.length === 0 ? [] : [{ do: 'await_crds', words: crds } as const]),
    ...waits.map((wait): Step => ({ do: 'poll_wait', words: [namespace, ...waitWords(wait)] })),
  ];
}

function waitWords({ words, limited }: WaitView): ScriptWord[] {
  return limited ? [...words] : [...words, timeoutWords.kubectl];
}

/** Gives the steps that read secrets, for the chosen packages; what was chosen is chosen again after them. */
export function secretSteps({ packages, secretSource }: ScriptView, stem: string): Step[] {
  const steps = packages
    .filter(({ secrets }) => secrets.length > 0)
    .map((item): Step => {
      const reads = item.secrets.map(
        ({ variable, mark, form, title }): Step => ({
          do: 'read_secret',
          words: [variable, mark, form, title, secretSource],
        }),
      );
      return { when: { chosen: choiceOf(item, stem) }, steps: reads };
    });
  return steps.length === 0 ? [] : [...steps, { do: 'reset_choice' }];
}

/** Gives the steps of main for the packages: group by group. */
export function groupSteps({ groups }: ScriptView): Step[] {
  return groups.map((numbers): Step => ({ do: 'group', words: numbers.map(String) }));
}

/** Gives steps that are taken with a switch on, or off. */
export function whenOption(option: string, isOn: boolean, steps: readonly Step[]): Step[] {
  return steps.length === 0 ? [] : [{ when: { option, isOn }, steps }];
}

/** Gives a document that a step reads. */
export function inputOf(text: string, marker: string, file = ''): Input {
  return { text, marker, file };
}

/** Gives the word that names what a step reads: standard input, or a file beside the script. */
export function sourceWord({ file }: Input): ScriptWord {
  return file === '' ? '-' : [{ setting: 'here' }, `/${file}`];
}

/** Gives what the head of an install script says. */
export function titleOf({ order, packages, kubeVersion }: ScriptView, first: string): string[] {
  return [
    first,
    ...packages.map(
      ({ number, fullName, chart }) =>
        `  ${number}. ${fullName}: chart ${chart.name} ${chart.version}, ${chart.digest}`,
    ),
    `The spec of the order has ${order.digest}. Rendered for Kubernetes ${kubeVersion}.`,
  ];
}

/** Gives targets by namespace, so many at once that a command line holds them; cluster-scoped ones under `-`. */
export function byNamespace(
  targets: readonly TargetView[],
): (readonly [namespace: string, targets: readonly string[]])[] {
  const groups: [string, string[]][] = [];
  for (const { target, namespace } of targets) {
    const space = namespace === '' ? '-' : namespace;
    const group = groups.at(-1);
    if (group === undefined || group[0] !== space || group[1].length === 50) groups.push([space, [target]]);
    else group[1].push(target);
  }
  return groups;
}

/** Gives the steps that delete objects, one failure after the other remembered. */
export function removeSteps(targets: readonly TargetView[]): Step[] {
  return byNamespace(targets).map(
    ([namespace, names]): Step => ({ do: 'remove', words: [namespace, ...names], isAttempt: true }),
  );
}

/** Gives CRDs as targets. */
export function crdTargets(names: readonly string[]): TargetView[] {
  return names.map((name) => ({ target: `crd/${name}`, namespace: '' }));
}

/** Gives the steps at the end of a package's uninstallation: what options name goes, and what stays is listed. */
export function leftoverSteps(item: PackageView): Step[] {
  const crds = crdTargets([...item.templateCrds, ...item.ownCrds]);
  const selector: Step = { do: 'remove_claims', words: [item.namespace, item.instanceSelector], isAttempt: true };
  const left = [...item.claims, ...item.keptObjects].filter(({ namespace }) => namespace !== '');
  // What is still there may need them to go.
  const deletions = [
    ...whenOption('--delete-pvcs', true, [...removeSteps(item.claims), selector]),
    ...whenOption('--delete-crds', true, removeSteps(crds)),
  ];
  return [
    { when: { isFine: true }, steps: deletions },
    ...byNamespace(left).map(([namespace, names]): Step => ({ do: 'left_over', words: [namespace, ...names] })),
    { do: 'left_over', words: [item.namespace, 'pvc', '--selector', item.instanceSelector] },
    ...byNamespace(crds).map(([, names]): Step => ({ do: 'left_over', words: ['-', ...names] })),
  ];
}

/** Gives the steps that delete a package once its stateful sets are told to leave their claims: without that nothing is deleted. */
export function whileRetained({ claimants }: PackageView, deletions: readonly Step[]): Step[] {
  const retained = claimants.map(
    ({ target, namespace }): Step => ({ do: 'retain_claims', words: [target, namespace], isAttempt: true }),
  );
  if (retained.length === 0) return [...deletions];
  return [...whenOption('--delete-pvcs', false, retained), { when: { isFine: true }, steps: deletions }];
}

/** Gives the main steps of an uninstallation; `first` are those before anything is deleted. */
export function uninstallMain(view: ScriptView, tool: 'helm' | 'kubectl', first: readonly Step[] = []): Step[] {
  const namespaces = [...view.ownNamespaces].reverse();
  return [
    { do: 'mark_choice' },
    ...whenOption('--dry-run', false, [
      { do: 'make_work' },
      { do: 'need', words: [tool] },
      ...(tool === 'kubectl'
        ? []
        : ['--delete-pvcs', '--delete-crds', '--delete-namespaces'].flatMap((flag) =>
            whenOption(flag, true, [{ do: 'need', words: ['kubectl'] }]),
          )),
      { do: 'say_context' },
      { do: 'set_step', words: ['preflight'] },
      { do: 'reach_cluster' },
      {
        do: 'say',
        words: ['volume claims, custom resource definitions and namespaces stay, unless an option names them'],
      },
      ...first,
    ]),
    ...view.reversed.map(({ number }): Step => ({ do: 'group', words: [String(number)] })),
    ...whenOption(
      '--delete-namespaces',
      true,
      namespaces.map((name): Step => ({ do: 'remove_namespace', words: [name], isAttempt: true })),
    ),
    ...(namespaces.length === 0
      ? []
      : [{ do: 'left_over', words: ['-', ...namespaces.map((name) => `namespace/${name}`)] } as const]),
    { do: 'end_uninstall' },
  ];
}

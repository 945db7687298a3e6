// Step 6: an Order as a script that installs it with kubectl, in Helm's phases: CRDs, namespace, hooks before, resources
// in install order, hooks after, waits; then what is no longer in the Order goes.

import type { DocumentView, HookView, KubectlPackageView, KubectlScriptView, PermissionView } from './kubectl-views.ts';
import { commonOptions, deleteHookOption, installOptions, kubectlOptions, uninstallOptions } from './options.ts';
import { chanceLines, secretLines } from './script-head.ts';
import {
  beginStep,
  choiceOf,
  groupSteps,
  inputOf,
  leftoverSteps,
  removeSteps,
  secretSteps,
  sourceWord,
  titleOf,
  uninstallMain,
  waitSteps,
  whenOption,
  whileRetained,
} from './shared-steps.ts';
import type { Part, Script, ScriptWord, Step } from './steps.ts';

/** Gives the script that a view of the kubectl scripts stands for. */
export function kubectlScriptOf(view: KubectlScriptView, action: 'install' | 'uninstall'): Script {
  return action === 'install' ? installOf(view) : uninstallOf(view);
}

function factsOf(
  view: KubectlScriptView,
): Pick<Script, 'names' | 'context' | 'readsHelmContext' | 'kubeVersion' | 'hasFiles'> {
  const { names, context, kubeVersion, hasFiles } = view;
  return { names, context, kubeVersion, hasFiles, readsHelmContext: false };
}

function installOf(view: KubectlScriptView): Script {
  return {
    title: [
      ...titleOf(view, `Installs the packages of order ${view.order.name} with kubectl, in this order:`),
      'Running it again applies what has changed, and deletes what an earlier run applied and the order no longer has.',
      ...chanceLines(view),
      ...secretLines(view),
      'Read it, try it with --dry-run, see with --diff what would change, then run it.',
    ],
    summary: 'Installs the packages of an order with kubectl, without Helm.',
    options: [...commonOptions('the current one', ''), ...installOptions, ...kubectlOptions],
    ...factsOf(view),
    parts: [preflightPart(view), ...view.packages.flatMap((item) => packageParts(item, view.order.id))],
    choices: view.packages.map((item) => choiceOf(item, 'install')),
    main: [
      { do: 'mark_choice' },
      ...whenOption('--dry-run', false, [{ do: 'make_work' }, { part: 'preflight' }]),
      ...groupSteps(view),
      ...prunePackagesSteps(view),
      { do: 'end_difference' },
      ...notesSteps(view),
      { do: 'sum_up' },
    ],
  };
}

// By its name the cluster knows which packages are of this Order.
function prunePackagesSteps({ order, packages }: KubectlScriptView): Step[] {
  if (order.id === '') return [];
  const own = packages.map(({ inventory }) => `${inventory.namespace} ${inventory.name} ${inventory.id}\n`).join('');
  const steps: Step[] = [{ do: 'prune_packages', words: [order.id], input: inputOf(own, 'PACKAGES') }];
  return whenOption('--no-prune', false, whenOption('--dry-run', false, steps));
}

function notesSteps(view: KubectlScriptView): Step[] {
  const noted = view.packages.filter(({ notes }) => notes !== '');
  return [
    { do: 'reset_choice' },
    ...noted.map((item): Step => {
      const input = inputOf(`${item.fullName} (${item.chart.label}) says:\n\n${item.notes}\n\n`, 'NOTES');
      return { when: { chosen: choiceOf(item, 'install') }, steps: [{ do: 'show_notes', input }] };
    }),
  ];
}

function preflightPart(view: KubectlScriptView): Part {
  const permits = view.packages.map((item): Step => {
    const scopeOf = (namespace: string): string => (namespace === '' ? '--all-namespaces' : `--namespace=${namespace}`);
    const permit = ({ type, namespace }: PermissionView): Step => ({
      do: 'permit',
      words: [type, scopeOf(namespace), 'create', 'patch'],
    });
    const inventory = { type: 'configmap', namespace: item.namespace };
    const others = item.permissions.filter(
      ({ type, namespace }) => type !== inventory.type || namespace !== inventory.namespace,
    );
    const crds = { type: 'customresourcedefinition.v1.apiextensions.k8s.io', namespace: '' };
    const own = item.crdDocuments.length === 0 ? [] : whenOption('--skip-crds', false, [permit(crds)]);
    return { when: { chosen: choiceOf(item, 'install') }, steps: [permit(inventory), ...others.map(permit), ...own] };
  });
  return {
    name: 'preflight',
    steps: [
      { do: 'set_step', words: ['preflight'] },
      { do: 'need', words: ['kubectl'] },
      ...(view.hasFiles ? [{ do: 'check_files' } as const] : []),
      { do: 'say_context' },
      { do: 'check_kubectl' },
      ...view.required.map((name): Step => ({ do: 'require_crd', words: [name] })),
      ...permits,
      { do: 'reset_choice' },
      ...secretSteps(view, 'install'),
    ],
  };
}

function packageParts(item: KubectlPackageView, orderId: string): Part[] {
  const { number } = item;
  const parts: Part[] = [];
  const part = (stem: string, steps: readonly Step[]): Step[] => {
    if (steps.length === 0) return [];
    parts.push({ name: `${stem}_${number}`, steps });
    return [{ part: `${stem}_${number}` }];
  };
  const crds = [
    ...item.crdDocuments.map((document) => applyStep(document)),
    ...(item.ownCrds.length === 0 ? [] : whenOption('--diff', false, [{ do: 'await_crds', words: item.ownCrds }])),
  ];
  const steps: Step[] = [
    beginStep(item),
    { do: 'set_manager', words: [item.fieldManager] },
    ...whenOption('--skip-crds', false, part('crds', crds)),
    ...namespaceSteps(item),
    inventoryStep(item, orderId),
    ...unlessSkipped(part('hooks_before', hookSteps(item.hooksBefore))),
    ...item.documents.map((document) => applyStep(document)),
    ...whenOption('--diff', false, part('await', awaitSteps(item))),
    ...unlessSkipped(part('hooks_after', hookSteps(item.hooksAfter))),
    ...whenOption('--diff', false, waitSteps(item)),
    ...whenOption('--no-prune', false, [{ do: 'prune_objects', input: inputOf(item.inventory.members, 'MEMBERS') }]),
    { do: 'close_inventory' },
    { do: 'end_package', words: [`${item.fullName} (${item.chart.label})`] },
  ];
  return [...parts, { name: `install_${number}`, steps }];
}

function unlessSkipped(steps: readonly Step[]): Step[] {
  return whenOption('--skip-hooks', false, whenOption('--diff', false, steps));
}

function namespaceSteps(item: KubectlPackageView): Step[] {
  if (!item.createNamespace) return [];
  return [{ do: 'ensure_namespace', words: [item.namespace], input: inputOf(item.namespaceManifest, 'NAMESPACE') }];
}

function inventoryStep({ inventory }: KubectlPackageView, orderId: string): Step {
  const { id, namespace, name, kinds, namespaces } = inventory;
  return { do: 'open_inventory', words: [id, namespace, name, kinds, namespaces, orderId] };
}

function applyStep(document: DocumentView): Step {
  const input = inputOf(document.text, 'MANIFEST', document.file);
  const place: ScriptWord[] = document.namespace === '' ? [] : ['--namespace', document.namespace];
  const source = sourceWord(input);
  if (document.keptTarget !== '') return { do: 'keep_document', words: [document.keptTarget, source, ...place], input };
  const words = [...place, '-f', source];
  return { do: document.isCreate ? 'create_document' : 'apply_document', words, input };
}

function hookSteps(hooks: readonly HookView[]): Step[] {
  const inMode = (hook: HookView, steps: readonly Step[]): Step[] =>
    hook.mode === '' ? [...steps] : [{ when: { mode: hook.mode }, steps }];
  return [
    ...hooks.flatMap((hook) => inMode(hook, hookRun(hook))),
    ...[...hooks].reverse().flatMap((hook) => (hook.deleteAfter ? inMode(hook, [deleteStep(hook)]) : [])),
  ];
}

function deleteStep({ target, namespace }: HookView): Step {
  return { do: 'delete_hook', words: [target, ...(namespace === '' ? [] : ['--namespace', namespace])] };
}

function hookRun(hook: HookView): Step[] {
  const { target, namespace, done, failed } = hook;
  return [
    ...(hook.deleteBefore ? [deleteStep(hook)] : []),
    ...(hook.deleteOnFailure ? [{ do: 'doom', words: [target, namespace] } as const] : []),
    applyStep(hook),
    ...(done === '' ? [] : [{ do: 'await_hook', words: [target, namespace, done, failed] } as const]),
    ...(hook.deleteOnFailure ? [{ do: 'spare' } as const] : []),
  ];
}

// What ends a wait is the same for many objects: they are waited for in one call.
function awaitSteps({ awaited }: KubectlPackageView): Step[] {
  const crds = awaited.flatMap(({ crd }) => (crd === '' ? [] : [crd]));
  const steps: Step[] = crds.length === 0 ? [] : [{ do: 'await_crds', words: crds }];
  for (const { target, namespace, rollsOut, until, hasAddress } of awaited) {
    if (rollsOut) steps.push({ do: 'await_rollout', words: [target, namespace] });
    if (until !== '') steps.push({ do: 'await_object', words: [namespace, until, target] });
    if (hasAddress) steps.push({ do: 'await_address', words: [target, namespace] });
  }
  return steps;
}

function uninstallOf(view: KubectlScriptView): Script {
  const hidden = { ...view, packages: view.reversed.map(withDeleteSecrets) };
  return {
    title: [
      `Deletes what order ${view.order.name} installed with kubectl, the last object first.`,
      'Custom resource definitions, volume claims, namespaces and whatever its chart marks as kept stay, unless an option',
      'names them. What an earlier version of the order applied goes too.',
      ...secretLines(hidden),
    ],
    summary: 'Deletes the objects of an order with kubectl, the last one first. A failure does not stop it.',
    options: [
      ...commonOptions('the current one', ' and go on towards the first'),
      deleteHookOption,
      ...uninstallOptions,
    ],
    ...factsOf(view),
    hasFiles: false,
    parts: view.packages.flatMap(uninstallParts),
    choices: view.packages.map((item) => choiceOf(item, 'uninstall')),
    main: uninstallMain(view, 'kubectl', secretSteps(hidden, 'uninstall')),
  };
}

// Of the secrets of a package an uninstallation needs those of its hooks.
function withDeleteSecrets(item: KubectlPackageView): KubectlPackageView {
  const texts = [...item.hooksBeforeDelete, ...item.hooksAfterDelete].map(({ text }) => text);
  return { ...item, secrets: item.secrets.filter(({ mark }) => texts.some((text) => text.includes(mark))) };
}

function uninstallParts(item: KubectlPackageView): Part[] {
  const parts: Part[] = [];
  const hooks = (stem: string, views: readonly HookView[]): Step[] => {
    if (views.length === 0) return [];
    const name = `${stem}_${item.number}`;
    parts.push({ name, steps: hookSteps(views), isLenient: true });
    // Where the namespace is gone there is nothing that a hook could work on.
    const there: Step = { when: { namespace: item.namespace }, steps: [{ part: name, isAttempt: true }] };
    return whenOption('--skip-hooks', false, [there]);
  };
  const { id, namespace, name } = item.inventory;
  const before = hooks('hooks_before', item.hooksBeforeDelete);
  const deletions: Step[] = whileRetained(item, [
    ...removeSteps(item.deletions),
    { do: 'sweep', words: [id, namespace, name], isAttempt: true },
    ...hooks('hooks_after', item.hooksAfterDelete),
  ]);
  const steps: Step[] = [
    beginStep(item),
    ...(before.length === 0 ? [] : [{ do: 'set_manager', words: [item.fieldManager] } as const]),
    ...before,
    ...(before.length === 0 ? deletions : [{ when: { isFine: true }, steps: deletions } as const]),
    ...leftoverSteps(item),
  ];
  return [...parts, { name: `uninstall_${item.number}`, steps }];
}

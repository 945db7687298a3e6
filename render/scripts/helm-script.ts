// Step 6: an Order as a script that installs it with Helm; values travel as one JSON document each.

import type { RenderedPackages } from '../packages.ts';
import { helmWords } from './helm-words.ts';
import { chartsOption, commonOptions, installOptions, uninstallOptions } from './options.ts';
import type { ScriptOptions } from './script.ts';
import { chanceLines, secretLines } from './script-head.ts';
import {
  beginStep,
  choiceOf,
  groupSteps,
  inputOf,
  leftoverSteps,
  secretSteps,
  sourceWord,
  timeoutWords,
  titleOf,
  uninstallMain,
  waitSteps,
  whenOption,
  whileRetained,
} from './shared-steps.ts';
import type { Part, Script, ScriptWord, Step } from './steps.ts';
import { type PackageView, type ScriptView, viewOrder } from './views.ts';

/** Gives the view model of the Helm scripts. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewHelmOrder(rendered: RenderedPackages, options: ScriptOptions): ScriptView {
  const view = viewOrder(rendered, options);
  if (options.action !== 'uninstall') return view;
  // An uninstallation reads no charts and waits for nothing but Helm.
  return { ...view, hasLocalCharts: false, needsKubectl: false };
}

const contextDefault = 'HELM_KUBECONTEXT or the current one';

/** Gives the script that a view of the Helm scripts stands for. */
export function helmScriptOf(view: ScriptView, action: 'install' | 'uninstall'): Script {
  return action === 'install' ? installOf(view) : uninstallOf(view);
}

function installOf(view: ScriptView): Script {
  const title = [
    ...titleOf(view, `Installs the packages of order ${view.order.name} with Helm, in this order:`),
    ...view.repositoryNames.map((name) => `Helm must know the repository ${name}: helm repo add ${name} URL`),
    'Running it again upgrades what is there: a release then has the values of this order and no others.',
    ...chanceLines(view),
    ...secretLines(view),
    ...(view.packages.some(({ ownCrds }) => ownCrds.length > 0)
      ? ['Helm installs the definitions of crds/ once and never upgrades them: --upgrade-crds does.']
      : []),
    'Read it, try it with --dry-run, then run it.',
  ];
  return {
    title,
    summary: `Installs or upgrades the packages of an order with ${helmWords[view.helm].needed}.`,
    options: [
      ...commonOptions(contextDefault, ''),
      ...(view.hasLocalCharts ? [chartsOption] : []),
      ...installOptions,
      ...helmWords[view.helm].options,
    ],
    ...factsOf(view),
    parts: [preflightPart(view), ...view.packages.map((item) => installPart(item, view.helm))],
    choices: view.packages.map((item) => choiceOf(item, 'install')),
    main: [
      { do: 'mark_choice' },
      ...whenOption('--dry-run', false, [{ do: 'make_work' }, { part: 'preflight' }]),
      ...whenOption('--dry-run', true, [{ do: 'show_work' }]),
      ...groupSteps(view),
      ...whenOption('--dry-run', false, notesSteps(view)),
      { do: 'sum_up' },
    ],
  };
}

// What Helm says of each release while it works is long past by the end.
function notesSteps(view: ScriptView): Step[] {
  const noted = view.packages.filter(({ notes }) => notes !== '');
  if (noted.length === 0) return [];
  return [
    { do: 'reset_choice' },
    ...noted.map((item): Step => {
      const { release, namespace, fullName, chart } = item;
      const words = [release, namespace, `${fullName} (${chart.label}) says:`];
      return { when: { chosen: choiceOf(item, 'install') }, steps: [{ do: 'show_release_notes', words }] };
    }),
  ];
}

function factsOf(
  view: ScriptView,
): Pick<Script, 'names' | 'context' | 'readsHelmContext' | 'kubeVersion' | 'hasFiles'> {
  const { names, context, kubeVersion, hasFiles } = view;
  return { names, context, kubeVersion, hasFiles, readsHelmContext: true };
}

function preflightPart(view: ScriptView): Part {
  const steps: Step[] = [
    { do: 'need', words: ['helm'] },
    ...(view.needsKubectl ? [{ do: 'need', words: ['kubectl'] } as const] : []),
    ...whenOption('--upgrade-crds', true, [{ do: 'need', words: ['kubectl'] }]),
    ...(view.hasFiles ? [{ do: 'check_files' } as const] : []),
    checkStep(view),
    ...view.repositoryNames.map((name): Step => ({ do: 'know_repository', words: [name] })),
    { do: 'say_context' },
    { do: 'ask_server' },
    ...view.required.map((name): Step => ({ do: 'require_crd', words: [name] })),
    ...secretSteps(view, 'install'),
  ];
  return { name: 'preflight', steps: [{ do: 'set_step', words: ['preflight'] }, ...steps] };
}

function checkStep({ helm }: ScriptView): Step {
  return { do: 'check_helm', words: [String(helm)] };
}

function installPart(item: PackageView, helm: ScriptView['helm']): Part {
  const { chart, namespace, release } = item;
  const { wait, deploy } = helmWords[helm];
  const input = inputOf(item.values.text, 'VALUES', item.values.file);
  const words: ScriptWord[] = [
    ...chartWords(item),
    ...['--namespace', namespace],
    ...(item.createNamespace ? ['--create-namespace'] : []),
    ...['--reset-values', wait, '--timeout'],
    timeoutWords.helm,
    '-f',
    sourceWord(input),
  ];
  return {
    name: `install_${item.number}`,
    steps: [
      beginStep(item),
      ...sealedSteps(item),
      ...(item.ownCrds.length === 0
        ? []
        : whenOption('--upgrade-crds', true, [{ do: 'upgrade_chart_crds', words: chartWords(item) }])),
      { do: deploy, words: [release, namespace, ...words], input },
      ...waitSteps(item),
      { do: 'end_package', words: [`${item.fullName} (${chart.label})`] },
    ],
  };
}

// What a repository has under a version may change: the archive is fetched, and installed if it is the sealed one.
function sealedSteps({ chart, number }: PackageView): Step[] {
  if (chart.archive === '') return [];
  return [{ do: 'fetch_sealed', words: [sealedPlace(number), chart.archive, chart.label, ...remoteWords(chart)] }];
}

function sealedPlace(number: number): string {
  return `.sealed-${number}`;
}

function chartWords({ chart, number }: PackageView): ScriptWord[] {
  return chart.archive === '' ? remoteWords(chart) : [`./${sealedPlace(number)}.tgz`];
}

function remoteWords(chart: PackageView['chart']): ScriptWord[] {
  return [
    chart.isRelative ? [{ setting: 'charts' }, `/${chart.reference}`] : chart.reference,
    ...(chart.repository === '' ? [] : ['--repo', chart.repository]),
    ...(chart.pinnedVersion === '' ? [] : ['--version', chart.pinnedVersion]),
  ];
}

function uninstallOf(view: ScriptView): Script {
  return {
    title: [
      `Uninstalls the packages of order ${view.order.name} with Helm, the last one first.`,
      'Custom resource definitions, volume claims and namespaces stay, unless an option names them: where Helm itself would',
      'delete them, they are taken out of its record of the release first, with kubectl.',
    ],
    summary: `Uninstalls the packages of an order with ${helmWords[view.helm].uninstalls}, the last one first. A failure does not stop it.`,
    options: [...commonOptions(contextDefault, ' and go on towards the first'), ...uninstallOptions],
    ...factsOf(view),
    parts: view.packages.map(uninstallPart),
    choices: view.packages.map((item) => choiceOf(item, 'uninstall')),
    main: uninstallMain(view, 'helm', [checkStep(view)]),
  };
}

function uninstallPart(item: PackageView): Part {
  const { release, namespace } = item;
  return {
    name: `uninstall_${item.number}`,
    steps: [
      beginStep(item),
      ...whileRetained(item, [{ do: 'uninstall_release', words: [release, namespace], isAttempt: true }]),
      ...leftoverSteps(item),
    ],
  };
}

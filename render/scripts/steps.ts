// What a script does, as plain data: options, named parts and steps. sh.ts and powershell.ts print it, so that a script
// says the same in both languages; what a step's verb does stands in helpers/.

/** The verbs of steps, with the name of each in PowerShell; in sh they go by the name here. */
export const verbs = {
  apply_document: 'Invoke-Apply',
  ask_server: 'Test-Cluster',
  await_address: 'Wait-Address',
  await_crds: 'Wait-Crds',
  await_hook: 'Wait-Hook',
  await_object: 'Wait-Object',
  await_rollout: 'Wait-Rollout',
  begin: 'Start-Package',
  check_files: 'Test-Files',
  check_helm: 'Test-Helm',
  check_kubectl: 'Test-Kubectl',
  close_inventory: 'Close-Inventory',
  create_document: 'Invoke-Create',
  delete_hook: 'Remove-Hook',
  deploy: 'Install-Release',
  deploy_applied: 'Install-AppliedRelease',
  doom: 'Add-Doomed',
  end_difference: 'Stop-Difference',
  end_package: 'Stop-Package',
  end_uninstall: 'Stop-Uninstall',
  ensure_namespace: 'Confirm-Namespace',
  fetch_sealed: 'Get-Sealed',
  group: 'Invoke-Group',
  keep_document: 'Invoke-Keep',
  know_repository: 'Test-Repository',
  left_over: 'Write-Leftover',
  make_work: 'New-Work',
  need: 'Assert-Tool',
  open_inventory: 'Open-Inventory',
  permit: 'Assert-Permission',
  mark_choice: 'Save-Choice',
  poll_wait: 'Wait-Order',
  prune_objects: 'Remove-Stale',
  prune_packages: 'Remove-Packages',
  reach_cluster: 'Test-Reach',
  read_secret: 'Read-Secret',
  remove: 'Remove-Objects',
  remove_claims: 'Remove-Claims',
  remove_namespace: 'Remove-Namespace',
  require_crd: 'Test-Crd',
  reset_choice: 'Reset-Choice',
  retain_claims: 'Set-ClaimPolicy',
  say: 'Write-Step',
  say_context: 'Write-Context',
  set_manager: 'Set-Manager',
  set_step: 'Set-Step',
  show_notes: 'Write-Notes',
  show_release_notes: 'Write-ReleaseNotes',
  show_work: 'Write-Work',
  spare: 'Clear-Doomed',
  sum_up: 'Write-Summary',
  sweep: 'Clear-Inventory',
  uninstall_release: 'Uninstall-Release',
  upgrade_chart_crds: 'Update-ChartCrds',
} as const;

/** Names what a step does. */
export type Verb = keyof typeof verbs;

/** Names what is known only when the script runs: the timeout in seconds, the folder of charts, the script's own folder. */
export type Setting = 'timeout' | 'charts' | 'here';

/** A word of a command: a text, or parts that are put together when the script runs. */
export type ScriptWord = string | readonly (string | { readonly setting: Setting })[];

/** What a step reads from standard input; with a file, the words of the step name that file and nothing is read. */
export interface Input {
  readonly text: string;
  /** Ends the document in sh. */
  readonly marker: string;
  /** Its file beside the script; empty for none. */
  readonly file: string;
}

/** One step: a verb, its words, what it reads. */
export interface Call {
  readonly do: Verb;
  readonly words?: readonly ScriptWord[];
  readonly input?: Input;
  /** Whether a failure is remembered while the script goes on. Default: it ends the script. */
  readonly isAttempt?: boolean;
}

/** A call of a part. */
export interface PartCall {
  readonly part: string;
  readonly isAttempt?: boolean;
}

/** What has to hold: a switch of the script, the kind of run, that every attempt of this package went well so far, that a package
 * is chosen, or that a namespace is there. */
export type Condition =
  | { readonly option: string; readonly isOn: boolean }
  | { readonly mode: 'install' | 'upgrade' }
  | { readonly isFine: true }
  | { readonly chosen: Choice }
  | { readonly namespace: string };

/** Steps that are taken only where something holds. */
export interface Branch {
  readonly when: Condition;
  readonly steps: readonly Step[];
}

/** A step of a script. */
export type Step = Call | PartCall | Branch;

/** A named list of steps; its name is a stem such as `install` and the package's number, or a stem alone. */
export interface Part {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Whether a failure leaves the part rather than the script. */
  readonly isLenient?: boolean;
}

/** An option of a script. */
export interface ScriptOption {
  /** Such as `--delete-pvcs`; the variable is `delete_pvcs`, PowerShell's parameter `-DeletePvcs`. */
  readonly flag: string;
  /** What stands for its value in the help; empty for a switch. */
  readonly value: '' | 'NAME' | 'DIR' | 'SECONDS' | 'NUMBER';
  readonly help: string;
  /** Its value where it is not given; for a switch `no`. */
  readonly fallback: string;
}

/** A package, as the script chooses it. */
export interface Choice {
  readonly number: number;
  readonly namespace: string;
  readonly release: string;
  /** The part that works on it. */
  readonly part: string;
}

/** A script, ready to be printed. */
export interface Script {
  /** What it does, line by line, for whoever reads it. */
  readonly title: readonly string[];
  /** The first line of its help. */
  readonly summary: string;
  readonly options: readonly ScriptOption[];
  /** Every word that names a package. */
  readonly names: readonly string[];
  /** The one context it works with; empty for any. */
  readonly context: string;
  /** Whether HELM_KUBECONTEXT names the context where no option does. */
  readonly readsHelmContext: boolean;
  /** The Kubernetes version everything was rendered for. */
  readonly kubeVersion: string;
  /** Whether it reads files beside it. */
  readonly hasFiles: boolean;
  readonly parts: readonly Part[];
  readonly choices: readonly Choice[];
  readonly main: readonly Step[];
}

/** Gives the variable of an option: `--dry-run` is `dry_run`. */
export function variableOf(flag: string): string {
  return flag.replace(/^--/, '').replaceAll('-', '_');
}

/** Gives the verbs that a script takes, each once. */
export function verbsOf(script: Script): ReadonlySet<Verb> {
  const found = new Set<Verb>();
  const visit = (steps: readonly Step[]): void => {
    for (const step of steps) {
      if ('do' in step) found.add(step.do);
      else if ('steps' in step) visit(step.steps);
    }
  };
  for (const { steps } of script.parts) visit(steps);
  visit(script.main);
  return found;
}

/** Tells whether a step anywhere in a script goes on after a failure. */
export function hasAttempts(script: Script): boolean {
  const isOne = (step: Step): boolean => ('steps' in step ? step.steps.some(isOne) : step.isAttempt === true);
  return script.main.some(isOne) || script.parts.some(({ steps }) => steps.some(isOne));
}

// Prints a script in PowerShell, for Windows PowerShell 5.1 and PowerShell 7.

import { commentText } from '../output/comment.ts';
import { helpersFor } from './helpers.ts';
import { helmOptions, installOptions, kubectlOptions, uninstallOptions } from './options.ts';
import {
  type Branch,
  type Call,
  type Condition,
  hasAttempts,
  type Part,
  type Script,
  type ScriptOption,
  type ScriptWord,
  type Step,
  variableOf,
  verbs,
  verbsOf,
} from './steps.ts';
import { hereDocument, powerShellQuote } from './words.ts';

/** Gives the text of a script. */
export function printPowerShell(script: Script): string {
  const roots = [
    ...['Stop-Script', 'Complete-Script', 'Test-Chosen', 'Test-Names', 'Write-Step'],
    ...[...verbsOf(script)].map((verb) => verbs[verb]),
    ...(hasAttempts(script) ? ['Invoke-Attempt', 'Test-There'] : []),
  ];
  const parts = [...script.parts.map(printPart), printDispatch(script)].join('\n');
  // All of it stands in one block, so that a script that was cut off cannot be parsed, and does nothing.
  return `${printHead(script)}${printParameters(script)}& {
${printState(script)}
${helpersFor('powershell', roots)}
${parts}
${printMain(script)}}
`;
}

function printHead({ title, options }: Script): string {
  const help = options.map((option) => `.PARAMETER ${parameterOf(option)}\n  ${option.help}\n`);
  const [first = '', ...more] = title;
  return `<#
.SYNOPSIS
  ${commentText(first)}
.DESCRIPTION
${more.map((line) => `  ${commentText(line)}\n`).join('')}${help.join('')}#>
`;
}

function printState(script: Script): string {
  const names = script.names.map((name) => powerShellQuote(name));
  const packages = script.choices.map(({ namespace, release }) => powerShellQuote(`${namespace}/${release}`));
  const passed = script.options.filter(({ flag }) => flag !== '--only' && flag !== '--from' && flag !== '--parallel');
  return `Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
# Exit codes of tools are looked at here, not by PowerShell; documents reach them as UTF-8.
$PSNativeCommandUseErrorActionPreference = $false
$OutputEncoding = New-Object System.Text.UTF8Encoding $false
# So is what they say; the console gets its code page back at the end. Where there is no console there is nothing to set.
$script:CodePage = $null
try {
  $script:CodePage = [Console]::OutputEncoding
  [Console]::OutputEncoding = $OutputEncoding
} catch {
  $script:CodePage = $null
}
$script:Known = @(${names.join(', ')})
$script:Packages = @(${packages.join(', ')})
$script:Total = ${script.choices.length}
$script:RenderedFor = ${powerShellQuote(script.kubeVersion)}
$script:From = $From
$script:Passed = @()
${passed.map(passOn).join('')}foreach ($name in 'Step', 'ChosenFrom', 'Work', 'Waiting', 'Doomed', 'DoomedNamespace', 'Message', 'Almighty', 'KnownKinds', 'KnownSpaces') {
  Set-Variable -Scope Script -Name $name -Value ''
}
foreach ($name in 'ExitCode', 'AttemptCode', 'FirstFailure') { Set-Variable -Scope Script -Name $name -Value 0 }
${absentSwitches(script)}$script:Manager = 'drydock'
$script:Mode = 'install'
$script:Permitted = @()
$script:Marks = @()
$script:Told = @()
$script:Summary = @()
$script:Differs = $false
$script:IsOver = $false
`;
}

// Helpers read switches that not every script has, and strict mode knows no variable that was never set.
function absentSwitches({ options }: Script): string {
  const given = new Set(options.map(({ flag }) => flag));
  const absent = [...installOptions, ...kubectlOptions, ...helmOptions, ...uninstallOptions].filter(
    ({ flag, value }) => value === '' && !given.has(flag),
  );
  const names = [...new Set(absent.map(parameterOf))].map((name) => `'${name}'`);
  return names.length === 0
    ? ''
    : `foreach ($name in ${names.join(', ')}) { Set-Variable -Scope Script -Name $name -Value $false }\n`;
}

// What a child that installs one package is given too.
function passOn(option: ScriptOption): string {
  const name = parameterOf(option);
  if (option.value === '') return `if ($${name}) { $script:Passed += '-${name}' }\n`;
  return `if ("$${name}" -ne '') { $script:Passed += @('-${name}', ('"' + $${name} + '"')) }\n`;
}

const parameterNames: Readonly<Record<string, string>> = { timeout: 'TimeoutSeconds' };

/** Gives the parameter of an option: `--delete-pvcs` is `DeletePvcs`. */
function parameterOf({ flag }: Pick<ScriptOption, 'flag'>): string {
  const variable = variableOf(flag);
  return (
    parameterNames[variable] ?? variable.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  );
}

function printParameters(script: Script): string {
  const lines = script.options.map((option) => {
    const name = parameterOf(option);
    if (option.flag === '--only') return '[string[]]$Only = @()';
    if (option.flag === '--context') return `[string]$Context = ${contextDefault(script)}`;
    if (option.value === '') return `[switch]$${name}`;
    if (option.value === 'SECONDS' || option.value === 'NUMBER')
      return `[ValidateRange(1, 999999)][int]$${name} = ${option.fallback}`;
    return `[string]$${name} = ${powerShellQuote(option.fallback)}`;
  });
  return `param(\n${lines.map((line) => `  ${line}`).join(',\n')}\n)\n`;
}

function contextDefault({ context, readsHelmContext }: Script): string {
  if (context !== '') return powerShellQuote(context);
  return readsHelmContext ? '"$env:HELM_KUBECONTEXT"' : "''";
}

function functionOf(part: string): string {
  const [number = ''] = /(?<!\d)\d*$/.exec(part) ?? [];
  const name = part
    .slice(0, part.length - number.length)
    .replace(/_$/, '')
    .replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return `Invoke-${name}Part${number}`;
}

function printPart({ name, steps }: Part): string {
  return `function ${functionOf(name)} {\n${printSteps(steps, '  ')}}\n`;
}

function printDispatch({ choices }: Script): string {
  const cases = choices.map(
    ({ number, namespace, release, part }) =>
      `    ${number} { if (Test-Chosen ${powerShellQuote(namespace)} ${powerShellQuote(release)}) { ${functionOf(part)} } }\n`,
  );
  return `# Works on a package, if it is chosen.
function Invoke-Package([int]$Number) {
  switch ($Number) {
${cases.join('')}  }
}
`;
}

function printMain(script: Script): string {
  const hasCharts = script.options.some(({ flag }) => flag === '--charts');
  const only =
    script.context === ''
      ? ''
      : `  if ($Context -cne ${powerShellQuote(script.context)}) { Stop-Script 2 ('this script is for the context ' + ${powerShellQuote(script.context)}) }\n`;
  return `function Start-Main {
${only}  Test-Names
${hasCharts ? '  $script:ChartFolder = (Resolve-Path -LiteralPath $Charts).ProviderPath\n' : ''}${printSteps(script.main, '  ')}}

$failure = 'it was stopped'
try {
  Start-Main
  $failure = ''
} catch {
  $failure = $_.Exception.Message
  if ($script:ExitCode -eq 0) { $script:ExitCode = 1 }
} finally {
  # Ctrl-C comes here, and nowhere else.
  if ($failure -eq 'it was stopped') {
    $script:ExitCode = 130
    $script:Waiting = ''
  }
  Complete-Script $failure
  if ($null -ne $script:CodePage) { [Console]::OutputEncoding = $script:CodePage }
}
exit $script:ExitCode
`;
}

function printSteps(steps: readonly Step[], indent: string): string {
  return steps.map((step) => printStep(step, indent)).join('');
}

function printStep(step: Step, indent: string): string {
  if ('steps' in step) return printBranch(step, indent);
  const text = 'part' in step ? functionOf(step.part) : printCall(step);
  const line = step.isAttempt === true ? `Invoke-Attempt { ${text} }` : text;
  // Whatever ended the script early has said so.
  const end = 'do' in step && step.do === 'end_difference' ? `${indent}if ($script:IsOver) { return }\n` : '';
  return `${indent}${line}\n${end}`;
}

function printCall({ do: verb, words, input }: Call): string {
  const list = words === undefined ? (input === undefined ? [] : ['@()']) : [`@(${words.map(printWord).join(', ')})`];
  const document = input === undefined || input.file !== '' ? [] : [printDocument(input.text)];
  return [verbs[verb], ...list, ...document].join(' ');
}

function printDocument(text: string): string {
  return hereDocument(text, '', 'powershell');
}

function printWord(word: ScriptWord): string {
  if (typeof word === 'string') return powerShellQuote(word);
  const [first, second] = word;
  if (typeof first === 'object' && first.setting !== 'timeout' && typeof second === 'string') {
    const folder = first.setting === 'here' ? '$PSScriptRoot' : '$script:ChartFolder';
    return `(Join-Path ${folder} ${powerShellQuote(second.slice(1))})`;
  }
  return `(${word.map((part) => (typeof part === 'string' ? powerShellQuote(part) : '"$TimeoutSeconds"')).join(' + ')})`;
}

function printBranch({ when, steps }: Branch, indent: string): string {
  return `${indent}if (${printCondition(when)}) {\n${printSteps(steps, `${indent}  `)}${indent}}\n`;
}

function printCondition(when: Condition): string {
  if ('option' in when) return `${when.isOn ? '' : '-not '}$${parameterOf({ flag: when.option })}`;
  if ('mode' in when) return `$script:Mode -eq '${when.mode}'`;
  if ('chosen' in when)
    return `Test-Chosen ${powerShellQuote(when.chosen.namespace)} ${powerShellQuote(when.chosen.release)}`;
  if ('namespace' in when) return `Test-There ${powerShellQuote(when.namespace)}`;
  return '$script:AttemptCode -eq 0';
}

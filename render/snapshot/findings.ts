// Schema violations and deprecated APIs of rendered objects.

import { RenderError } from '../core/errors.ts';
import { type Group, groupBy } from '../core/group-by.ts';
import type { RenderSettings } from '../inputs/settings.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import type { TracedObjects } from '../provenance/trace/explanation.ts';
import type { ReportedIssue } from '../report/model.ts';
import { documentIssues, objectIssueText } from '../validation/objects/document-issues.ts';
import type { CaseFinding, Finding } from './outcome.ts';

export interface FindingOptions {
  readonly settings: Pick<RenderSettings, 'validate' | 'kubeVersions'>;
  /** For example `v1.31.0`. */
  readonly kubeVersion: string;
  /** Returns the traces of the documents, if one of them has a problem. */
  readonly traces: () => readonly TracedObjects[] | Promise<readonly TracedObjects[]>;
}

/**
 * Returns the findings in documents: with --validate all problems; for a requested version, removed and deprecated APIs as warnings; else
 * none.
 */
export async function findingsIn(
  documents: readonly SourcedDocument[],
  { settings, kubeVersion, traces }: FindingOptions,
): Promise<readonly Finding[]> {
  const { validate, kubeVersions } = settings;
  const isFull = validate === 'strict' || validate === 'warn';
  if (!isFull && kubeVersions.length === 0) return [];
  try {
    const validation = { kubeVersion, validate: validate === 'warn' ? validate : 'strict', traces } as const;
    const found = await documentIssues(documents, { ...validation, onlyApis: !isFull });
    return found.map(({ issue }): Finding => {
      const { kind, severity, object, source, line, path, hint, kubeVersion: data } = issue;
      return {
        rule: kind === 'gone' || kind === 'deprecated' ? 'api' : 'schema',
        severity: isFull ? severity : 'warning',
        object,
        source,
        ...(line === undefined ? {} : { line }),
        path,
        message: objectIssueText(issue).replace(/ \(Kubernetes [\d.]+\)$/, ''),
        hint,
        kubeVersion: data,
      };
    });
  } catch (error) {
    if (!(error instanceof RenderError) || error.code !== 'MANIFEST_INVALID') throw error;
    const { message, hint = '', place } = error;
    const source = place?.file ?? '';
    return [
      {
        rule: 'schema',
        severity: isFull ? 'error' : 'warning',
        object: '',
        source,
        path: '',
        message,
        hint,
        kubeVersion: '',
      },
    ];
  }
}

/** Formats findings as lines, each once with its cases and Kubernetes versions. */
export function findingsText(findings: readonly CaseFinding[], cases: number): string {
  const byCase = gathered(findings, ({ message, hint, severity, case: name }) => [message, hint, severity, name]);
  const all = gathered(byCase, (group) => [group[0].message, group[0].hint, group[0].severity, versionsText(group)]);
  const lines = all.map((groups) => {
    const [[finding]] = groups;
    const { severity, message } = finding;
    const own = cases < 2 ? '' : `  in ${groups.map(([one]) => one.case).join(', ')}`;
    const hint = finding.hint === '' ? '' : `\n      ${finding.hint}`;
    const shown = message.trimEnd().replaceAll('\n', '\n      ');
    return `  ${severity}: ${shown}${versionsText(groups[0])}${own}${hint}\n`;
  });
  return lines.join('');
}

function gathered<T>(all: readonly T[], keyOf: (one: T) => readonly string[]): Group<T>[] {
  return [...groupBy(all, (one) => JSON.stringify(keyOf(one))).values()];
}

/** Returns the findings of a case as issues of a report, at the template line if the chart is on disk. */
export function findingIssues(
  findings: readonly CaseFinding[],
  { folder, file }: { readonly folder: string; readonly file: string },
): ReportedIssue[] {
  return gathered(findings, ({ message, hint, severity }) => [message, hint, severity]).map((group) => {
    const [finding] = group;
    const { rule, severity, source, line, hint } = finding;
    const isPlaced = folder !== '' && /\/(?:templates|crds)\//.test(source);
    const place = isPlaced
      ? { file: `${folder}${source.slice(source.indexOf('/'))}`, ...(line === undefined ? {} : { line }) }
      : { file };
    // The message names the field; the place is the template and its line, if it is on disk.
    const words = finding.message.trimEnd();
    const own = isPlaced ? words.replace(` of ${source}${line === undefined ? '' : `:${line}`}: `, ': ') : words;
    const message = `${own}${versionsText(group)}`;
    return { rule, severity, path: '', message, ...(hint === '' ? {} : { hint }), ...place };
  });
}

// The requested versions. Those that are checked with the data of another version are listed together: old ones have the oldest data.
function versionsText(findings: readonly CaseFinding[]): string {
  const groups = groupBy(findings, ({ cell, kubeVersion }) => {
    const isOwn = cell === '' || /^with /.test(cell) || `${cell.split(' ', 1)[0]}.`.startsWith(`${kubeVersion}.`);
    return isOwn || kubeVersion === '' ? '' : kubeVersion;
  });
  const parts = [...groups].map(([data, group]) => {
    const versions = new Set(group.map(({ cell, kubeVersion }) => cell || kubeVersion).filter((one) => one !== ''));
    return `${[...versions].join(', ')}${data === '' ? '' : ` by the data of ${data}`}`;
  });
  const shown = parts.filter((part) => part !== '');
  return shown.length === 0 ? '' : ` (Kubernetes ${shown.join('; ')})`;
}

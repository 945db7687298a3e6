// The results of the checks, each with a link to its line.

import type { DraftIssue } from '../../api.ts';
import { checks, draftFailure, marks, orderView } from '../../order/draft.ts';
import { Empty, Icon, Loading } from '../parts.tsx';
import { showOrderLine } from './selection.ts';

const severities = [
  { name: 'error', label: 'Errors', icon: 'alert' },
  { name: 'warning', label: 'Warnings', icon: 'alert' },
  { name: 'note', label: 'Notes', icon: 'note' },
] as const;

/** The tab. */
export function ChecksTab() {
  const issues = draftFailure.value ? marks.value : checks.value;
  if (!issues) {
    return <Loading />;
  }
  if (issues.length === 0) {
    return (
      <Empty title="No problems found">
        <p>Values, waits, API versions, namespaces and random values are checked.</p>
      </Empty>
    );
  }
  return (
    <div class="scroll">
      {severities.map(({ name, label, icon }) => {
        const found = issues.filter(({ severity }) => severity === name);
        if (found.length === 0) return undefined;
        return (
          <section key={name} class="issues" data-severity={name}>
            <h3>
              <Icon name={icon} /> {label} <span class="count">{found.length}</span>
            </h3>
            {byPackage(found).map(({ release, issues: own }) => (
              <div key={release} class="issue-group">
                <h4>{release}</h4>
                <ul>
                  {own.map((issue, index) => (
                    <IssueRow key={`${index}`} issue={issue} />
                  ))}
                </ul>
              </div>
            ))}
          </section>
        );
      })}
    </div>
  );
}

interface PackageIssues {
  readonly release: string;
  readonly issues: readonly DraftIssue[];
}

// Issues without a package come first.
function byPackage(issues: readonly DraftIssue[]): readonly PackageIssues[] {
  const groups = new Map<number, DraftIssue[]>();
  for (const issue of issues) {
    const index = Number(/^spec\.(?:packages|items)\[(\d+)\]/.exec(issue.path)?.[1] ?? -1);
    groups.set(index, [...(groups.get(index) ?? []), issue]);
  }
  const { packages } = orderView.value;
  const nameOf = (index: number): string => {
    const { release, chart } = packages[index] ?? {};
    return index < 0 ? 'Order' : release || chart || `Package ${index + 1}`;
  };
  return [...groups].sort(([a], [b]) => a - b).map(([index, own]) => ({ release: nameOf(index), issues: own }));
}

function IssueRow({ issue }: { readonly issue: DraftIssue }) {
  const { path, message, hint, line } = issue;
  return (
    <li class="issue">
      <div>
        <p class="issue-path">{path}</p>
        <p>{message}</p>
        {hint === undefined ? undefined : <p class="soft">{hint}</p>}
      </div>
      {line === undefined ? undefined : (
        <button type="button" class="button plain" onClick={() => showOrderLine(line)}>
          Line {line}
        </button>
      )}
    </li>
  );
}

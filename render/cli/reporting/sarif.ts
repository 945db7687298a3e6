// Findings as SARIF, for code scanning.

import { isAbsolutePath } from '../../order/names.ts';
import { issueText } from '../../order/read.ts';
import { allIssues } from './issues.ts';
import type { Report } from './model.ts';

const ruleId = 'order';

/** Returns findings as the object of a SARIF log. Mirrors: OASIS, Static Analysis Results Interchange Format 2.1.0. */
export function sarifOf(report: Report): unknown {
  const driver = {
    name: 'drydock',
    version: report.version,
    informationUri: 'https://github.com/drydock-offline/drydock',
    rules: [
      { id: ruleId, shortDescription: { text: 'What is wrong with an Order, or with what it renders to' } },
      { id: 'RANDOM_VALUE', shortDescription: { text: 'What each rendering of an Order gives otherwise' } },
      {
        id: 'difference',
        shortDescription: { text: 'What is rendered means something else than what it is compared with' },
      },
      { id: 'SCHEMA_INVALID', shortDescription: { text: 'An object that is not what the schema of its kind says' } },
      { id: 'API_DEPRECATED', shortDescription: { text: 'An object of an API that is gone or will be' } },
      { id: 'left-out', shortDescription: { text: 'Inputs that were not checked' } },
      { id: 'failure', shortDescription: { text: 'What does not render' } },
      { id: 'UNREAD_VALUE', shortDescription: { text: 'A value of an Order that no template reads' } },
    ],
  };
  const results = allIssues(report).map((issue) => ({
    ruleId: issue.rule ?? issue.code ?? ruleId,
    level: issue.severity,
    message: { text: issueText(issue) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(issue.file) },
          ...(issue.line === undefined ? {} : { region: { startLine: issue.line, startColumn: issue.column ?? 1 } }),
        },
        ...(issue.path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: issue.path }] }),
      },
    ],
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    // Columns are in UTF-16 units.
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

// A relative path is a relative reference; spaces and other invalid characters are percent-encoded.
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (!isAbsolutePath(path)) return encoded;
  return path.startsWith('/') ? `file://${encoded}` : `file:///${encoded.replace('%3A', ':')}`;
}

// The branch coverage of a chart by its own values, values that reach more, and what nothing reaches.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../api.ts';
import {
  type ChartCoverage,
  type ChartDetailsRequest,
  loadChartCoverage,
  type TemplateLine,
} from '../chart-details.ts';
import { Button, copyText, downloadText, ErrorMessage, TextBlock } from './parts.tsx';

interface CoverageProps {
  readonly request: ChartDetailsRequest;
  readonly onTemplate: (line: TemplateLine) => void;
}

/** The tab. */
export function CoveragePart({ request, onTemplate }: CoverageProps) {
  const [found, setFound] = useState<ChartCoverage>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    loadChartCoverage(request).then(setFound, (failure) => setFault(errorMessage(failure)));
  }, []);
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (!found) {
    return (
      <p class="pad soft" role="status">
        Searching for values that reach every branch…
      </p>
    );
  }
  const {
    cases,
    before,
    after,
    total,
    reachable,
    isCut,
    generated,
    unreached,
    unreachedCount,
    failures,
    rejections,
    failedCases,
  } = found;
  return (
    <div class="scroll">
      <section class="coverage-summary" aria-label="Summary">
        <CoverageBar label={cases.join(', ')} count={before} total={total} />
        {generated.length === 0 ? undefined : (
          <CoverageBar label={`with ${filesText(generated.length)}`} count={after} total={total} />
        )}
        <p class="soft">
          {reachable === total ? 'Values can reach all of them.' : `Values can reach ${reachable} of them.`}
          {isCut ? ' The search ended after five seconds: drydock cases searches for longer.' : ''}
        </p>
      </section>
      {failedCases.map(({ name, message }) => (
        <ErrorMessage key={name} where={`${name} does not render`} message={message} />
      ))}
      {failures.map(({ values, message }) => (
        <ErrorMessage key={message} where={`The chart fails on ${JSON.stringify(values)}`} message={message} />
      ))}
      {rejections.map(({ values, message, path, line }) => (
        <ErrorMessage
          key={`${path} ${line} ${message}`}
          where={`With ${JSON.stringify(values)}, a cluster refuses what ${path}:${line} writes`}
          message={message}
        />
      ))}
      {generated.map(({ text, reaches }, at) => (
        <GeneratedFile key={text} number={at + 1} text={text} reaches={reaches} />
      ))}
      {unreached.length === 0 ? undefined : (
        <section class="resource-list" aria-label="Not reached">
          <h3>
            Not reached <span class="count">{unreachedCount}</span>
          </h3>
          <ul>
            {unreached.map(({ path, line, text, outcome, explanation }) => (
              <li key={`${path} ${line} ${text} ${outcome}`} class="row-item">
                <p class="row-head">
                  <code>{text}</code> <span class="tag">{outcome}</span>
                  <span class="spring" />
                  <button type="button" class="link" onClick={() => onTemplate({ path, line })}>
                    {path}:{line}
                  </button>
                </p>
                <p class="soft">{explanation}</p>
              </li>
            ))}
          </ul>
          {unreachedCount > unreached.length ? (
            <p class="pad soft">and {unreachedCount - unreached.length} more</p>
          ) : undefined}
        </section>
      )}
    </div>
  );
}

interface BarProps {
  readonly label: string;
  readonly count: number;
  readonly total: number;
}

function CoverageBar({ label, count, total }: BarProps) {
  return (
    <label class="coverage-bar">
      <span>
        {count} of {total} branch outcomes <span class="soft">{label}</span>
      </span>
      <progress value={count} max={Math.max(total, 1)} />
    </label>
  );
}

function filesText(count: number): string {
  return count === 1 ? '1 more values file' : `${count} more values files`;
}

interface FileProps {
  readonly number: number;
  readonly text: string;
  readonly reaches: number;
}

function GeneratedFile({ number, text, reaches }: FileProps) {
  const name = `drydock-${number}-values.yaml`;
  return (
    <details class="resource" open={number === 1}>
      <summary>
        <span class="resource-name">ci/{name}</span> <span class="soft">reaches {reaches} more</span>
      </summary>
      <div class="resource-text">
        <div class="viewer-tools">
          <Button icon="copy" kind="quiet" onPress={() => copyText(text, name)}>
            Copy
          </Button>
          <Button icon="download" kind="quiet" onPress={() => downloadText(text, name)}>
            Download
          </Button>
        </div>
        <TextBlock text={text} />
      </div>
    </details>
  );
}

// The effects of another chart version on the values of a package.

import { changeOrder, orderDraft } from '../../order/draft.ts';
import { type Upgrade, upgradedOrder } from '../../order/upgrade.ts';
import { shortJson } from '../../order/why.ts';
import { showMessage } from '../../session.ts';
import { Button, ErrorMessage } from '../parts.tsx';

const kinds = [
  { kind: 'moved', title: 'Values that moved' },
  { kind: 'retyped', title: 'Values of another type' },
  { kind: 'unread', title: 'Values that nothing reads any more' },
  { kind: 'unused', title: 'Values that neither version reads' },
] as const;

/** The report, above the changed objects. */
export function UpgradeSection({ index, chart, report }: Upgrade) {
  const { version } = chart;
  const { values, defaults, failureBefore, failureAfter } = report;
  const upgrade = (): void => {
    changeOrder(upgradedOrder(orderDraft.value, { index, chart, report }), `upgrade ${chart.chart} to ${version}`);
    showMessage(`Upgraded ${chart.chart} to ${version}`);
  };
  return (
    <section class="upgrade" aria-label="Upgrade">
      <div class="viewer-tools">
        <span>{values.length === 0 ? 'Your values keep their meaning.' : 'Some of your values change.'}</span>
        <span class="spring" />
        <Button kind="main" onPress={upgrade}>
          Upgrade to {version}
        </Button>
      </div>
      {failureBefore === undefined ? undefined : (
        <ErrorMessage where="The present version does not render your values" message={failureBefore} />
      )}
      {failureAfter === undefined ? undefined : (
        <ErrorMessage where={`${version} does not render your values`} message={failureAfter} />
      )}
      {kinds.map(({ kind, title }) => {
        const found = values.filter((one) => one.kind === kind);
        return found.length === 0 ? undefined : (
          <div key={kind} class="upgrade-part">
            <h3>{title}</h3>
            <ul>
              {found.map(({ path, value, to, expected }) => (
                <li key={path}>
                  <code>{path}</code> {to === undefined ? <code>{shortJson(value)}</code> : <code>→ {to}</code>}
                  {expected === undefined ? undefined : (
                    <>
                      {' '}
                      where the default is <code>{shortJson(expected)}</code>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {defaults.length === 0 ? undefined : (
        <details class="upgrade-part">
          <summary>
            Defaults that changed <span class="count">{defaults.length}</span>
          </summary>
          <ul>
            {defaults.map(({ path, before, after }) => (
              <li key={path}>
                <code>{path}</code> <del>{shortJson(before)}</del> <ins>{shortJson(after)}</ins>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

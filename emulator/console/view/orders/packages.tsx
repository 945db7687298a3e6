// The packages of the Order in installation order: add, move by drag or keys, remove.

import { useState } from 'preact/hooks';
import { counted } from '../../../../render/core/counted.ts';
import { movePackage, type OrderPackage, removePackage, setMember, setVersion } from '../../order/document.ts';
import { changeOrder, chosen, orderDraft, orderHistory, orderView, preview, typeOrder } from '../../order/draft.ts';
import { charts, showMessage } from '../../session.ts';
import { AddChart } from '../palette.tsx';
import { Button, Icon, TextField } from '../parts.tsx';

export function PackageList() {
  const { packages } = orderView.value;
  const [dragged, setDragged] = useState<number>();
  const nameAt = (index: number): string => packages[index]?.release || packages[index]?.chart || 'a package';
  const move = (from: number, to: number): void => {
    changeOrder(movePackage(orderDraft.value, from, to), `move ${nameAt(from)}`);
    chosen.value = to;
  };
  const remove = (index: number): void => {
    const name = nameAt(index);
    changeOrder(removePackage(orderDraft.value, index), `remove ${name}`);
    showMessage(`Removed ${name}`, false, { label: 'Undo', run: () => void orderHistory.undo() });
    chosen.value = Math.max(0, Math.min(chosen.value, packages.length - 2));
  };
  const drop = (to: number): void => {
    if (dragged !== undefined && dragged !== to) move(dragged, to);
    setDragged(undefined);
  };
  const rowOf = (item: OrderPackage, index: number) => {
    const shown = preview.value;
    const rendered = shown?.packages[shown.indexes.indexOf(index)];
    const objects = rendered?.release === item.release ? rendered.objects : undefined;
    const failed = shown?.failures.find((one) => one.index === index)?.refusal;
    const name = item.release || item.chart || `package ${index + 1}`;
    return (
      <li
        // A moved row keeps its elements, and so the focus.
        key={`${item.namespace}/${item.release}`}
        class="package"
        draggable
        data-dragged={dragged === index}
        data-chosen={chosen.value === index}
        onDragStart={() => setDragged(index)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={() => drop(index)}
      >
        <button
          type="button"
          class="package-choice"
          aria-pressed={chosen.value === index}
          onClick={() => {
            chosen.value = index;
          }}
        >
          <span class="package-name">{name}</span>
          <span class="soft package-about">
            {item.chart} {rendered?.chart === item.chart ? rendered.version : item.version} ·{' '}
            {item.namespace || 'default'}
            {objects === undefined ? '' : ` · ${counted(objects, 'object')}`}
          </span>
          {failed === undefined ? undefined : (
            <span class="package-fault">
              <Icon name="alert" /> {failed.message}
              {failed.hint === undefined ? undefined : <span class="soft"> {failed.hint}</span>}
            </span>
          )}
        </button>
        <span class="package-tools">
          <Button
            icon="up"
            label={`Move ${name} up`}
            kind="quiet"
            disabled={index === 0}
            onPress={() => move(index, index - 1)}
          />
          <Button
            icon="down"
            label={`Move ${name} down`}
            kind="quiet"
            disabled={index === packages.length - 1}
            onPress={() => move(index, index + 1)}
          />
          <Button icon="remove" label={`Remove ${name}`} kind="quiet" onPress={() => remove(index)} />
        </span>
      </li>
    );
  };
  return (
    <div class="packages">
      <div class="packages-head">
        <h2>Packages</h2>
        <AddChart />
      </div>
      <ol class="package-list">{packages.map(rowOf)}</ol>
      {packages[chosen.value] ? <PackageFields index={chosen.value} item={packages[chosen.value]!} /> : undefined}
    </div>
  );
}

function PackageFields({ index, item }: { readonly index: number; readonly item: OrderPackage }) {
  const versions = [
    ...new Set((charts.value ?? []).filter(({ name }) => name === item.chart).map(({ version }) => version)),
  ];
  const set = (name: string, value: string): void => {
    const known = charts.value?.find((chart) => chart.name === item.chart && chart.version === value);
    const text =
      name === 'version' && known
        ? setVersion(orderDraft.peek(), index, known)
        : setMember(orderDraft.peek(), index, { name, value });
    typeOrder(text, `set ${name}`);
  };
  const fields = [
    { name: 'releaseName', label: 'Release', value: item.release },
    { name: 'namespace', label: 'Namespace', value: item.namespace },
    { name: 'version', label: 'Version', value: item.version },
  ];
  return (
    <fieldset class="fields">
      <legend class="sr">{`Package ${item.release || item.chart}`}</legend>
      {fields.map(({ name, label, value }) => (
        <label key={name} class="field">
          <span>{label}</span>
          <TextField
            id={`package-${name}`}
            value={value}
            list={name === 'version' ? 'versions' : undefined}
            placeholder={name === 'version' ? 'Newest' : undefined}
            // An incomplete version is another one, or invalid.
            appliesTyping={name !== 'version'}
            onWrite={(text) => set(name, text.trim())}
          />
        </label>
      ))}
      <datalist id="versions">
        {versions.map((version) => (
          <option key={version} value={version} />
        ))}
      </datalist>
    </fieldset>
  );
}

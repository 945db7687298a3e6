// The install scripts for Helm and kubectl, per operating system.

import { useState } from 'preact/hooks';
import { requestText } from '../../api.ts';
import { previewPath } from '../../order/draft.ts';
import { Code } from '../code.tsx';
import { Button, copyText, downloadText, ErrorMessage } from '../parts.tsx';
import { fileName } from './actions.ts';
import { useRendered } from './rendered.ts';

const tools = [
  { name: 'pkgmgr3', label: 'Helm' },
  { name: 'yaml', label: 'kubectl' },
] as const;
const systems = [
  { name: 'linux', label: 'Linux' },
  { name: 'darwin', label: 'macOS' },
  { name: 'windows', label: 'Windows' },
] as const;

/** The tab. */
export function ScriptsTab() {
  const [tool, setTool] = useState<string>('pkgmgr3');
  const [os, setOs] = useState<string>('linux');
  const { form, fault } = useRendered(`${tool} ${os}`, (order) =>
    requestText('POST', previewPath(`/scripts/${tool}`, { os }), { body: { order } }),
  );
  const end = `-${tool === 'yaml' ? 'kubectl' : 'helm'}.${os === 'windows' ? 'ps1' : 'sh'}`;
  const text = form ?? '';
  const language = os === 'windows' ? 'powershell' : 'shell';
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <Choice label="Tool" choices={tools} chosen={tool} onChoose={setTool} />
        <Choice label="Operating system" choices={systems} chosen={os} onChoose={setOs} />
        <span class="spring" />
        <Button icon="copy" kind="quiet" disabled={form === undefined} onPress={() => copyText(text, 'Script')}>
          Copy
        </Button>
        <Button
          icon="download"
          kind="quiet"
          disabled={form === undefined}
          onPress={() => downloadText(text, fileName(end))}
        >
          Download
        </Button>
      </div>
      {fault === undefined ? undefined : <ErrorMessage message={fault} />}
      <Code key={language} label="Install script" language={language} text={text} />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly { readonly name: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

function Choice({ label, choices, chosen, onChoose }: ChoiceProps) {
  return (
    <label class="choice">
      <span class="sr">{label}</span>
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map(({ name, label: words }) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

// A value in a form that is edited as YAML.

import { useState } from 'preact/hooks';
import { orderJson, orderText } from '../order/document.ts';
import { TextField } from './parts.tsx';

interface YamlInputProps {
  readonly id?: string;
  readonly value: unknown;
  readonly placeholder?: string;
  /** Default: as many as the text has, at most 8. */
  readonly rows?: number;
  /** Called with the parsed value; null for an empty text. If it returns `kept`, the value was rejected. */
  readonly onWrite: (value: unknown) => unknown;
}

/** A list, a map or any other value as YAML in a few lines. */
export function YamlInput({ id, value, placeholder = 'YAML', rows, onWrite }: YamlInputProps) {
  const [isFaulty, setFaulty] = useState(false);
  const text = value === undefined || value === null ? '' : yamlOf(value);
  const write = (written: string): 'kept' | undefined => {
    const read = readYaml(written);
    const isKept = written !== text && (read === undefined || onWrite(read.value) === 'kept');
    setFaulty(isKept);
    return isKept ? 'kept' : undefined;
  };
  return (
    <>
      <TextField
        id={id}
        rows={rows ?? Math.min(Math.max(text.split('\n').length, 1), 8)}
        isFaulty={isFaulty}
        placeholder={placeholder}
        value={text}
        appliesTyping
        onWrite={write}
      />
      {isFaulty ? (
        <p class="field-fault" role="alert">
          Invalid value. The last valid one is kept.
        </p>
      ) : undefined}
    </>
  );
}

function readYaml(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: null };
  try {
    return orderJson(`value:\n${text.replace(/^/gm, '  ')}`) as { value: unknown };
  } catch {
    return undefined;
  }
}

function yamlOf(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return '[]';
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return '{}';
  return typeof value === 'object' ? orderText(value) : JSON.stringify(value);
}

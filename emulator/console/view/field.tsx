// A field that applies its text on change, or while typing. Typed text survives a rerender.

import { useEffect, useRef, useState } from 'preact/hooks';

/** Props of a field. */
export interface FieldProps {
  readonly id?: string | undefined;
  /** Its value while the user is not typing. */
  readonly value: string;
  readonly placeholder?: string | undefined;
  /** Whether typed text is also applied after a short pause. Default: on Enter or blur. */
  readonly appliesTyping?: boolean | undefined;
  /** Called with the text. If it returns `kept`, the text was rejected and stays in the field to be corrected. */
  readonly onWrite: (text: string) => unknown;
}

/** In milliseconds. */
const typingPause = 400;

interface Written {
  readonly currentTarget: { readonly value: string };
}

// A rerender while typing would restore the last value.
function useTyped(props: FieldProps) {
  const { value, onWrite, appliesTyping = false } = props;
  const [typed, setTyped] = useState<string>();
  const latest = useRef(props);
  latest.current = props;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    value: typed ?? value,
    onInput: ({ currentTarget: { value: text } }: Written): void => {
      setTyped(text);
      clearTimeout(timer.current);
      if (appliesTyping) timer.current = setTimeout(() => latest.current.onWrite(text), typingPause);
    },
    onChange: ({ currentTarget }: Written): void => {
      clearTimeout(timer.current);
      if (onWrite(currentTarget.value) !== 'kept') setTyped(undefined);
    },
  };
}

/** A field of one line. */
export function TextField({
  id,
  placeholder,
  list,
  isNumber = false,
  ...rest
}: FieldProps & {
  /** The id of a list of suggestions. */
  readonly list?: string | undefined;
  readonly isNumber?: boolean;
}) {
  return (
    <input
      id={id}
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      list={list}
      placeholder={placeholder}
      spellcheck={false}
      autocomplete="off"
      {...useTyped(rest)}
    />
  );
}

/** A multi-line field. */
export function TextArea({
  id,
  placeholder,
  rows,
  isFaulty,
  ...rest
}: FieldProps & { readonly rows: number; readonly isFaulty: boolean }) {
  return (
    <textarea
      id={id}
      rows={rows}
      placeholder={placeholder}
      spellcheck={false}
      aria-invalid={isFaulty}
      {...useTyped(rest)}
    />
  );
}

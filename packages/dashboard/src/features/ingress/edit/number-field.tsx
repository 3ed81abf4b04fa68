import { NumberInput, type NumberInputProps } from '@mantine/core';
import { EMPTY } from './upstream-draft.ts';

interface NumberFieldProps extends Pick<NumberInputProps, 'label' | 'description' | 'min' | 'max' | 'suffix'> {
  /** Not a number: the field is empty. */
  readonly value: number;
  readonly error: string | null;
  readonly onChange: (value: number) => void;
}

/** A whole number, which the form waits for while the field is empty. */
export function NumberField({ value, onChange, ...shown }: NumberFieldProps) {
  return (
    <NumberInput
      {...shown}
      required
      allowDecimal={false}
      allowNegative={false}
      value={Number.isNaN(value) ? '' : value}
      onChange={(text) => onChange(text === '' ? EMPTY : Number(text))}
    />
  );
}

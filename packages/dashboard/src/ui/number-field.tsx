import { NumberInput, type NumberInputProps } from '@mantine/core';

interface NumberFieldProps
  extends Pick<NumberInputProps, 'label' | 'description' | 'placeholder' | 'min' | 'max' | 'suffix'> {
  /** Not a number: the field is empty. */
  readonly value: number;
  /** False: empty means something, which the placeholder says. */
  readonly isRequired?: boolean;
  readonly error: string | null;
  readonly onChange: (value: number) => void;
}

/** A whole number, which the form waits for while the field is empty and required. */
export function NumberField({ value, isRequired = true, onChange, ...shown }: NumberFieldProps) {
  return (
    <NumberInput
      {...shown}
      required={isRequired}
      allowDecimal={false}
      allowNegative={false}
      value={Number.isNaN(value) ? '' : value}
      onChange={(text) => onChange(text === '' ? Number.NaN : Number(text))}
    />
  );
}

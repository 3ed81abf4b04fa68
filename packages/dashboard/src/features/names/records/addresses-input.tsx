import { TagsInput } from '@mantine/core';
import { MAX_RECORD_ADDRESSES } from '@meshwork/contract/vocabulary';
import { useState } from 'react';

interface AddressesInputProps {
  readonly initial: readonly string[];
  /** Called on every keystroke. What is still being typed counts as the last address. */
  readonly onChange: (addresses: readonly string[]) => void;
  readonly error: string | null;
}

export function AddressesInput({ initial, onChange, error }: AddressesInputProps) {
  const [ended, setEnded] = useState<readonly string[]>(initial);
  const [typed, setTyped] = useState('');
  const change = (values: readonly string[], text: string) => {
    const addresses = values.map((one) => one.trim().toLowerCase()).filter((one) => one !== '');
    setEnded(addresses);
    setTyped(text);
    const last = text.trim().toLowerCase();
    onChange(last === '' || addresses.includes(last) ? addresses : [...addresses, last]);
  };
  return (
    <TagsInput
      label="Addresses"
      description={`IPv4 and IPv6 (A and AAAA), ${MAX_RECORD_ADDRESSES} at most.`}
      placeholder={ended.length === 0 ? '100.64.0.7' : ''}
      withAsterisk
      maxTags={MAX_RECORD_ADDRESSES}
      splitChars={[',', ' ']}
      acceptValueOnBlur={false}
      value={[...ended]}
      searchValue={typed}
      error={error}
      onSearchChange={(text) => change(ended, text)}
      onChange={(values) => change(values, '')}
    />
  );
}

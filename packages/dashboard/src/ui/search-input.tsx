import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  /** Called when typing pauses. */
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 250;

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const tell = useDebouncedCallback((text: string) => {
    setKnown(text);
    onChange(text);
  }, PAUSE_MS);
  // Changed from outside: "clear all filters", or the browser's back button.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const change = (text: string) => {
    setTyped(text);
    tell(text);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed === '' ? null : <CloseButton size="sm" aria-label="Clear" onClick={() => change('')} />}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const PAUSE_MS = 300;

/** A field that tells what is in it when whoever types pauses, and follows when somebody else changes it. */
export function useSettled(value: string, tell: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const tellLater = useDebouncedCallback((text: string) => {
    setKnown(text.trim());
    tell(text);
  }, PAUSE_MS);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const change = (text: string) => {
    setTyped(text);
    tellLater(text);
  };
  return [typed, change];
}

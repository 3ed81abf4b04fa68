import { TagsInput } from '@mantine/core';
import { useState } from 'react';

interface WordsFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly isRequired?: boolean;
  /** What it begins with. */
  readonly initial: readonly string[];
  readonly choices: readonly string[];
  readonly error: string | null;
  /** Called on every keystroke. What is still being typed counts as the last word. */
  readonly onChange: (words: readonly string[]) => void;
}

/** Several words without spaces, offered or typed. */
export function WordsField({ isRequired = false, initial, choices, placeholder, onChange, ...shown }: WordsFieldProps) {
  const [ended, setEnded] = useState<readonly string[]>(initial);
  const [typed, setTyped] = useState('');
  const change = (values: readonly string[], text: string) => {
    const words = values.map((one) => one.trim()).filter((one) => one !== '');
    setEnded(words);
    setTyped(text);
    const last = text.trim();
    onChange(last === '' || words.includes(last) ? words : [...words, last]);
  };
  return (
    <TagsInput
      {...shown}
      withAsterisk={isRequired}
      placeholder={ended.length === 0 ? placeholder : ''}
      data={[...choices]}
      limit={30}
      maxDropdownHeight={280}
      splitChars={[',', ' ']}
      acceptValueOnBlur={false}
      value={[...ended]}
      searchValue={typed}
      onSearchChange={(text) => change(ended, text)}
      onChange={(values) => change(values, '')}
    />
  );
}

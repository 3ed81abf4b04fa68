import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { tagProblem } from './tag-problem.ts';

interface TagsEditorProps {
  readonly label: string;
  readonly description: string;
  /** The tags when the editor opens. */
  readonly initial: readonly string[];
  /** Called on every keystroke. The text that is still being typed counts as the last tag. */
  readonly onChange: (tags: string[]) => void;
  readonly isFocused?: boolean;
  /** The coordinator's validation error. */
  readonly error?: string | null;
}

/**
 * Tags to write. What is being typed counts like the rest, so that nothing is lost when a person continues without ending it,
 * and nothing moves under the pointer when they do.
 */
export function TagsEditor({
  label,
  description,
  initial,
  onChange,
  isFocused = false,
  error = null,
}: TagsEditorProps) {
  const [ended, setEnded] = useState(() => [...initial]);
  const [typed, setTyped] = useState('');
  const change = (values: readonly string[], text: string) => {
    const tags = values.map((tag) => tag.trim()).filter((tag) => tag !== '');
    setEnded(tags);
    setTyped(text);
    onChange(withTyped(tags, text));
  };
  return (
    <TagsInput
      label={label}
      description={description}
      value={ended}
      searchValue={typed}
      onSearchChange={(text) => change(ended, text)}
      onChange={(values) => change(values, '')}
      splitChars={[',', ' ']}
      acceptValueOnBlur={false}
      error={tagProblem(withTyped(ended, typed)) ?? error}
      data-autofocus={isFocused ? true : undefined}
    />
  );
}

function withTyped(tags: readonly string[], typed: string): string[] {
  const text = typed.trim();
  return text === '' || tags.includes(text) ? [...tags] : [...tags, text];
}

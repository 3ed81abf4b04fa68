import { Autocomplete } from '@mantine/core';
import type { MeshWords } from '../../../mesh/mesh-words.ts';
import type { Groups } from './new-grant.ts';

interface EndFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly groups: Groups;
  readonly words: MeshWords;
  /** Networks may be meant too. */
  readonly networks?: boolean;
  readonly onChange: (value: string) => void;
}

/** One end of a grant: a group of the policy, or something that a group can be made of. */
export function EndField({
  label,
  description,
  value,
  error,
  groups,
  words,
  networks = false,
  onChange,
}: EndFieldProps) {
  const data = [
    { group: 'Groups', items: [...groups.keys()] },
    { group: 'Tags', items: words.tags.map((tag) => `tag:${tag}`) },
    { group: 'Networks', items: networks ? [...words.networks] : [] },
  ].filter(({ items }) => items.length > 0);
  return (
    <Autocomplete
      label={label}
      description={description}
      value={value}
      error={error}
      onChange={onChange}
      data={data}
      limit={60}
      maxDropdownHeight={280}
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}

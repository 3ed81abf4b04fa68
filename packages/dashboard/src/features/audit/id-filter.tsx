import { Text } from '@mantine/core';
import { SearchInput } from '../../ui/search-input.tsx';

interface IdFilterProps {
  readonly label: string;
  readonly value: string;
  /** Whose id it is, where that is known. */
  readonly name?: string;
  readonly onChange: (id: string) => void;
}

/** Ids are what the trail is filed under: names change, and several may share one. */
export function IdFilter({ label, value, name, onChange }: IdFilterProps) {
  return (
    <div>
      <SearchInput label={label} value={value} onChange={(text) => onChange(text.trim())} />
      {name !== undefined && (
        <Text size="xs" c="dimmed" mt={2}>
          {name}
        </Text>
      )}
    </div>
  );
}

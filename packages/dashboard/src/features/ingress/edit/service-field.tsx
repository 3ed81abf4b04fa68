import { Autocomplete, Text } from '@mantine/core';
import { plural } from '../../../ui/plural.ts';
import type { MeshChoices } from './mesh-choices.ts';

interface ServiceFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly error: string | null;
  readonly choices: MeshChoices;
  readonly onChange: (service: string) => void;
}

/** A service by its name, from those that nodes report. One that none reports yet can be typed. */
export function ServiceField({ isRequired = false, choices, error, onChange, ...shown }: ServiceFieldProps) {
  const { services } = choices;
  const { value } = shown;
  const isNew = value !== '' && services.size > 0 && !services.has(value);
  return (
    <div>
      <Autocomplete
        {...shown}
        required={isRequired}
        error={error}
        data={[...services.keys()].sort()}
        renderOption={({ option }) => (
          <div>
            {option.value}
            <Text size="xs" c="dimmed">
              {plural(services.get(option.value) ?? 0, 'node')}
            </Text>
          </div>
        )}
        limit={30}
        maxDropdownHeight={280}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(text) => onChange(text.trim())}
      />
      {isNew && (
        <Text size="xs" c="dimmed" mt={4}>
          No node reports {value} yet.
        </Text>
      )}
    </div>
  );
}

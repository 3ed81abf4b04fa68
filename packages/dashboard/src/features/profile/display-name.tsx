import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { fieldError } from '../../ui/said-of-error.ts';

export function DisplayName({ name }: { readonly name: string }) {
  const [typed, setTyped] = useState(name);
  const update = usePanelAction('profile.update', { done: 'Display name saved', touches: ['auth', 'users'] });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void update.run({ body: { display_name: typed.trim() } }).catch(() => undefined); // already reported
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Display name"
          autoComplete="name"
          required
          maxLength={100}
          style={{ flex: '0 1 24rem' }}
          value={typed}
          error={fieldError(update.error, '/display_name') ?? null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={typed.trim() === name} loading={update.isRunning}>
          Save
        </Button>
      </Group>
    </form>
  );
}

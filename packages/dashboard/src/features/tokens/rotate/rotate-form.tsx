import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { Token, TokenWithSecret } from '@meshwork/contract';
import { DEFAULT_ROTATION_DEADLINE_S, MAX_ROTATION_DEADLINE_S, utc } from '@meshwork/contract/vocabulary';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { span } from '../../../ui/ago.ts';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';

export interface Rotated {
  readonly successor: TokenWithSecret;
  /** When the old secret stops being good. */
  readonly old_ends: string;
}

interface RotateFormProps {
  readonly token: Token;
  readonly onRotated: (rotated: Rotated) => void;
  readonly onCancel: () => void;
}

export function RotateForm({ token, onRotated, onCancel }: RotateFormProps) {
  const [deadline, setDeadline] = useState(DEFAULT_DEADLINE);
  const rotate = useAction('tokens.rotate', { quiet: true, touches: ['overview', 'audit'] });
  const lifetime_s = (Date.parse(token.expires) - Date.parse(token.created_at)) / 1000;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { body } = await rotate.run({ params: { id: token.id }, body: { deadline_s: Number(deadline) } });
    onRotated({ successor: body, old_ends: utc(Date.parse(body.created_at) + Number(deadline) * 1000) });
  };
  return (
    <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by rotate.error */)}>
      <Stack>
        <Text size="sm">
          Creates a successor with a new ID and secret, and the same name, role, boundary and lifetime (
          {span(lifetime_s)}). Give the new secret to the programs that use this token before the old one expires.
        </Text>
        <Select
          label="Keep the old secret valid for"
          data={DEADLINES}
          allowDeselect={false}
          data-autofocus
          value={deadline}
          error={fieldError(rotate.error, '/deadline_s') ?? null}
          onChange={(value) => setDeadline(value ?? DEFAULT_DEADLINE)}
        />
        {deadline === '0' && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            Programs that use the old secret are refused immediately.{' '}
            {token.last_used_at === null ? (
              'It was never used.'
            ) : (
              <>
                It was last used <Ago at={token.last_used_at} />.
              </>
            )}
          </Alert>
        )}
        {rotate.error !== null && <ProblemNotice error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={rotate.isRunning}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** How long the old secret of a rotated token stays valid. The coordinator accepts up to a day. */

const DEADLINES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '0', label: 'Revoke immediately' },
  { value: '600', label: '10 minutes' },
  { value: String(DEFAULT_ROTATION_DEADLINE_S), label: '1 hour' },
  { value: String(6 * 3600), label: '6 hours' },
  { value: String(MAX_ROTATION_DEADLINE_S), label: '1 day' },
];

const DEFAULT_DEADLINE = String(DEFAULT_ROTATION_DEADLINE_S);

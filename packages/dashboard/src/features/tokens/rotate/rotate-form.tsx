import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { type Token, type TokenWithSecret, utc } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { span } from '../../../ui/ago.ts';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import { DEADLINES, DEFAULT_DEADLINE } from './deadlines.ts';

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
          A successor with a new id and secret takes over: same name, role and boundary, good for {span(lifetime_s)}, as
          long again as this one was made for. Give the new secret to whatever uses this token before the old one ends.
        </Text>
        <Select
          label="The old secret stays good for"
          data={DEADLINES}
          allowDeselect={false}
          data-autofocus
          value={deadline}
          error={fieldError(rotate.error, '/deadline_s') ?? null}
          onChange={(value) => setDeadline(value ?? DEFAULT_DEADLINE)}
        />
        {deadline === '0' && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            Whatever uses the old secret is refused from that moment on.{' '}
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

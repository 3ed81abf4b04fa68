import { Button, Group, Stack } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { type AuthorityDraft, isComplete } from './authority-draft.ts';
import { AuthorityFields } from './authority-fields.tsx';

interface AuthorityFormProps {
  readonly initial: AuthorityDraft;
  /** Null: it is there already. */
  readonly own: Scope | null;
  readonly action: string;
  readonly cancel: string;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Rejects when it did not work, which `error` shows. */
  readonly onSubmit: (draft: AuthorityDraft) => Promise<void>;
}

/** The key of an account binding is forgotten here as soon as it was taken. */
export function AuthorityForm({ initial, own, action, cancel, error, isRunning, onSubmit }: AuthorityFormProps) {
  const [draft, setDraft] = useState(initial);
  const isReady = isComplete(draft, own !== null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isReady) await onSubmit(draft).then(() => setDraft({ ...draft, eab_key: '' }));
  };
  return (
    <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by `error` */)}>
      <Stack gap="lg">
        <AuthorityFields draft={draft} own={own} error={error} onChange={setDraft} />
        {error !== null && <ProblemNotice error={error} />}
        <Group gap="xs">
          <Button type="submit" disabled={!isReady} loading={isRunning}>
            {action}
          </Button>
          <ButtonLink to={cancel} variant="default">
            Cancel
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  );
}

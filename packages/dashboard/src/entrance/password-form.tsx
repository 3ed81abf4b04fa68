import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { SignInState } from '@meshwork/contract';
import { useState } from 'react';
import { panel } from '../api/clients.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useAttempt } from './attempt.ts';

interface PasswordFormProps {
  readonly onState: (state: SignInState) => void;
}

export function PasswordForm({ onState }: PasswordFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { running, error, run } = useAttempt();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(async () => onState((await panel.call('auth.login', { body: { name: name.trim(), password } })).body));
      }}
    >
      <Stack>
        {error !== null && <ProblemNotice error={error} />}
        <TextInput
          label="Name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={running}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

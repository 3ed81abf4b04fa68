import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { isReadyPassword, NewPassword } from '../../ui/new-password.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { fieldError } from '../../ui/said-of-error.ts';
import { Section } from '../../ui/section.tsx';

export function PasswordChange({ name }: { readonly name: string }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  // The session gets a new cookie and a new token with it, so the session is refetched.
  const change = usePanelAction('profile.change_password', {
    quiet: true,
    done: 'Password changed. Other sessions were signed out',
    touches: ['auth', 'sessions'],
  });
  const run = async () => {
    await change.run({ body: { current, password } });
    for (const clear of [setCurrent, setPassword, setAgain]) clear('');
  };
  return (
    <Section title="Password" description="Changing it signs out all your other sessions.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReadyPassword(password, again)) void run().catch(() => undefined); // shown below
        }}
      >
        <Stack maw="26rem">
          {change.error !== null && <ProblemNotice error={change.error} />}
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <NewPassword
            value={password}
            again={again}
            onChange={setPassword}
            onAgain={setAgain}
            error={fieldError(change.error, '/password')}
          />
          <Group>
            <Button type="submit" loading={change.isRunning}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

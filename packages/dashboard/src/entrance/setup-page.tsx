/** The first visit: makes the first owner, with the code that the panel printed when it started. */

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { panel } from '../api/clients.ts';
import { usePanelRead } from '../api/queries.ts';
import { enter } from '../session/session.tsx';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { Command } from '../ui/command.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { isReadyPassword, NewPassword } from '../ui/new-password.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { fieldError } from '../ui/said-of-error.ts';
import { isUserName, UserNameInput } from '../ui/user-name-input.tsx';
import { useAttempt } from './attempt.ts';
import { useCodeOfLink } from './code-of-link.ts';
import { Entrance } from './entrance.tsx';

export default function SetupPage() {
  const status = usePanelRead('setup.status');
  const code = useCodeOfLink();
  return (
    <Entrance title="Set up Meshwork" text="Create the first owner of this mesh. It takes a minute.">
      <Loaded query={status}>
        {({ needed, code_expires }) =>
          needed ? <SetupForm key={code} given={code} code_expires={code_expires} /> : <AlreadyDone />
        }
      </Loaded>
    </Entrance>
  );
}

function AlreadyDone() {
  return (
    <Stack>
      <Text size="sm">This panel is already set up. Ask its owner for an invitation.</Text>
      <ButtonLink to="/sign-in">Sign in</ButtonLink>
    </Stack>
  );
}

interface SetupFormProps {
  /** What the link had. */
  readonly given: string;
  readonly code_expires: string | null;
}

function SetupForm({ given, code_expires }: SetupFormProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [code, setCode] = useState(given);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { running, error, run } = useAttempt();
  const finish = async () => {
    const { body } = await panel.call('setup.finish', { body: { code: code.trim(), name, password } });
    queries.removeQueries({ queryKey: ['setup.status'] });
    enter(queries, body);
    await navigate({ to: '/', replace: true }); // the code does not stay in the history
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isUserName(name) && isReadyPassword(password, again)) run(finish);
      }}
    >
      <Stack>
        {error !== null && <ProblemNotice error={error} />}
        {code_expires === null && (
          <Stack gap="xs">
            <Text size="sm">The set-up code has expired. Restart the panel to get a new one:</Text>
            <Command text="npm start" />
          </Stack>
        )}
        <TextInput
          label="Set-up code"
          description={
            code_expires === null ? (
              'Printed when the panel started.'
            ) : (
              <>
                The panel printed it when it started. Good until <Moment at={code_expires} />.
              </>
            )
          }
          autoComplete="off"
          spellCheck={false}
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <UserNameInput
          label="User name"
          description="You sign in with it, and the audit trail shows it. Example: ada."
          autoComplete="username"
          value={name}
          error={fieldError(error, '/name')}
          onChange={setName}
        />
        <NewPassword
          value={password}
          again={again}
          onChange={setPassword}
          onAgain={setAgain}
          error={fieldError(error, '/password')}
        />
        <Button type="submit" loading={running}>
          Create owner account
        </Button>
      </Stack>
    </form>
  );
}

/** Accepting an invitation: the link has the code, the person chooses a password. */
import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { panel } from '../api/clients.ts';
import { enter } from '../session/session.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { isReadyPassword, NewPassword } from '../ui/new-password.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { fieldError } from '../ui/said-of-error.ts';
import { useAttempt } from './attempt.ts';
import { useCodeOfLink } from './code-of-link.ts';
import { Entrance } from './entrance.tsx';

export default function InvitationPage() {
  const code = useCodeOfLink();
  return (
    <Entrance title="Accept your invitation" text="Choose a password to sign in with.">
      <WithCode key={code} given={code} />
    </Entrance>
  );
}

function WithCode({ given }: { readonly given: string }) {
  const [code, setCode] = useState(given);
  return code === '' ? <CodeOnly onCode={setCode} /> : <Accept code={code} onOtherCode={() => setCode('')} />;
}

function CodeOnly({ onCode }: { readonly onCode: (code: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(typed.trim());
      }}
    >
      <Stack>
        <TextInput
          label="Invitation code"
          description="The part of your invitation link after #."
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">Continue</Button>
      </Stack>
    </form>
  );
}

interface AcceptProps {
  readonly code: string;
  readonly onOtherCode: () => void;
}

function Accept({ code, onOtherCode }: AcceptProps) {
  const invitation = useQuery({
    queryKey: ['invitation.show', code],
    queryFn: ({ signal }) => panel.call('invitation.show', { body: { code }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // the code is a secret
  });
  return (
    <Stack>
      <Loaded query={invitation}>
        {({ name, display_name, expires }) => <AcceptForm {...{ code, name, display_name, expires }} />}
      </Loaded>
      {invitation.error !== null && (
        <Button variant="default" onClick={onOtherCode}>
          Type another code
        </Button>
      )}
    </Stack>
  );
}

interface AcceptFormProps {
  readonly code: string;
  readonly name: string;
  readonly display_name: string;
  readonly expires: string;
}

function AcceptForm({ code, name, display_name, expires }: AcceptFormProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [shown, setShown] = useState(display_name);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { running, error, run } = useAttempt();
  const accept = async () => {
    const { body } = await panel.call('invitation.accept', { body: { code, display_name: shown.trim(), password } });
    enter(queries, body);
    await navigate({ to: '/', replace: true }); // the code does not stay in the history
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReadyPassword(password, again)) run(accept);
      }}
    >
      <Stack>
        {error !== null && <ProblemNotice error={error} />}
        <TextInput
          label="User name"
          description={
            <>
              The invitation is good until <Moment at={expires} />.
            </>
          }
          value={name}
          autoComplete="username"
          readOnly
        />
        <TextInput
          label="Display name"
          autoComplete="name"
          required
          maxLength={100}
          value={shown}
          error={fieldError(error, '/display_name') ?? null}
          onChange={(event) => setShown(event.currentTarget.value)}
        />
        <NewPassword
          value={password}
          again={again}
          onChange={setPassword}
          onAgain={setAgain}
          error={fieldError(error, '/password')}
        />
        <Button type="submit" loading={running}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

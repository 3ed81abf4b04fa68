import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';

/** The panel sends the browser back with one of these codes; anything else in the address is not repeated. */
const WORDS: Readonly<Record<string, string>> = {
  provider_unavailable: 'The identity provider is not responding. Try again shortly.',
  provider_refused: 'The identity provider refused the sign-in, or you cancelled it.',
  provider_answer_invalid: 'The response does not match a sign-in that this browser started. Try again.',
  no_role: 'None of your groups has a role here. Ask an administrator.',
  name_taken: 'Your user name is already taken here. Ask an administrator.',
  name_unusable: 'The identity provider did not send a valid user name. Ask an administrator.',
  account_disabled: 'Your account is disabled. Ask an administrator to enable it.',
  panel_unavailable: 'The panel could not complete the sign-in. Try again shortly.',
};

/** Why signing in by the provider did not work. */
export function ProviderProblem() {
  const { problem } = useSearch({ strict: false }) as { readonly problem?: unknown };
  const text = typeof problem === 'string' && Object.hasOwn(WORDS, problem) ? WORDS[problem] : undefined;
  if (text === undefined) return null;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title="Sign-in failed" role="alert">
      {text}
    </Alert>
  );
}

import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';

/** The panel sends the browser back with one of these codes; anything else in the address is not repeated. */
const WORDS: Readonly<Record<string, string>> = {
  provider_unavailable: 'The provider does not answer. Try again shortly.',
  provider_refused: 'The provider refused, or you declined there.',
  provider_answer_invalid: 'The answer does not belong to a sign-in that this browser began. Try once more.',
  no_role: 'None of your groups has a role here. Ask whoever runs this panel.',
  name_taken: 'Somebody else has your name here already. Ask whoever runs this panel.',
  name_unusable: 'The provider gives no name that can be used here. Ask whoever runs this panel.',
  account_disabled: 'Your account is disabled. Somebody who manages people can enable it.',
  panel_unavailable: 'The panel could not finish it. Try again shortly.',
};

/** Why signing in by the provider did not work. */
export function ProviderProblem() {
  const { problem } = useSearch({ strict: false }) as { readonly problem?: unknown };
  const text = typeof problem === 'string' && Object.hasOwn(WORDS, problem) ? WORDS[problem] : undefined;
  if (text === undefined) return null;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title="You are not signed in" role="alert">
      {text}
    </Alert>
  );
}

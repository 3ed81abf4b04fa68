import { Checkbox, Stack } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { DEFAULT_SIGN_IN } from '@meshwork/contract/vocabulary';
import { NumberField } from '../../../ui/number-field.tsx';
import { WordsField } from '../../../ui/words-field.tsx';

type SignIn = NonNullable<Ingress['sign_in']>;

interface SignInFieldsProps {
  readonly value: SignIn | null;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (value: SignIn | null) => void;
}

/** Which people may enter, and what needs no sign-in. */
export function SignInFields({ value, wrong, onChange }: SignInFieldsProps) {
  return (
    <Stack>
      <Checkbox
        label="Require sign-in"
        description="People sign in at this panel before a request reaches the service, which learns who they are."
        checked={value !== null}
        error={value === null ? wrong('sign_in') : null}
        onChange={(event) => onChange(event.currentTarget.checked ? { ...DEFAULT_SIGN_IN } : null)}
      />
      {value !== null && <Rules value={value} wrong={wrong} onChange={onChange} />}
    </Stack>
  );
}

function Rules({ value, wrong, onChange }: SignInFieldsProps & { readonly value: SignIn }) {
  const set = (change: Partial<SignIn>) => onChange({ ...value, ...change });
  return (
    <>
      <WordsField
        label="Groups"
        description="Members of any of these may enter. Without groups and people: everyone whose scope includes that of the ingress."
        placeholder="staff"
        initial={value.groups}
        choices={[]}
        error={wrong('sign_in/groups') ?? wrong('sign_in')}
        onChange={(groups) => set({ groups: [...groups] })}
      />
      <WordsField
        label="People"
        description="These may enter too, by user name."
        placeholder="ada"
        initial={value.people}
        choices={[]}
        error={wrong('sign_in/people')}
        onChange={(people) => set({ people: [...people] })}
      />
      <WordsField
        label="Open paths"
        description="These need no sign-in, with everything below them: webhooks, health checks."
        placeholder="/hooks"
        initial={value.open}
        choices={[]}
        error={wrong('sign_in/open')}
        onChange={(open) => set({ open: [...open] })}
      />
      <NumberField
        label="Session length (minutes)"
        description="Then the panel lets people in again, as long as they are signed in here."
        min={5}
        max={1440}
        value={value.session_s / 60}
        error={wrong('sign_in/session_s')}
        onChange={(minutes) => set({ session_s: Math.round(minutes * 60) })}
      />
      <Checkbox
        label="Nodes of the mesh need no sign-in"
        description="On connections that WireGuard proves to be theirs."
        checked={value.nodes}
        onChange={(event) => set({ nodes: event.currentTarget.checked })}
      />
    </>
  );
}

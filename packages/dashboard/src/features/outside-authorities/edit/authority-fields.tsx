import { Checkbox, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { KNOWN_AUTHORITIES } from '@meshwork/contract/vocabulary';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { PemField } from '../../../ui/pem-field.tsx';
import classes from '../../../ui/record.module.css';
import { fieldError } from '../../../ui/said-of-error.ts';
import { Section } from '../../../ui/section.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import { CHALLENGE_WORDS } from '../authority-words.ts';
import {
  type AuthorityDraft,
  addressProblem,
  directoriesOf,
  type KnownName,
  knownBy,
  OTHER,
} from './authority-draft.ts';

interface AuthorityFieldsProps {
  readonly draft: AuthorityDraft;
  /** The person's own boundary, for a new one. Null: it is there already, and keeps its scope and directory. */
  readonly own: Scope | null;
  readonly error: unknown;
  readonly onChange: (draft: AuthorityDraft) => void;
}

const KNOWN = Object.entries(KNOWN_AUTHORITIES).map(([value, { title }]) => ({ value, label: title }));
const CHALLENGES = Object.entries(CHALLENGE_WORDS).map(([value, label]) => ({ value, label }));
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

export function AuthorityFields({ draft, own, error, onChange }: AuthorityFieldsProps) {
  const set = (change: Partial<AuthorityDraft>) => onChange({ ...draft, ...change });
  const wrong = (field: string) => fieldError(error, `/${field}`) ?? null;
  const which = knownBy(draft.directory);
  const isBound = draft.eab_key_id !== '' || (which !== OTHER && KNOWN_AUTHORITIES[which].needs_eab);
  return (
    <>
      <Section title="Authority">
        <Stack className={classes.fields}>
          {own !== null && (
            <Select
              label="Which"
              allowDeselect={false}
              data={[...KNOWN, { value: OTHER, label: 'Another, by its address' }]}
              value={which}
              onChange={(value) => {
                if (value === OTHER) set({ directory: '', staging_directory: '' });
                else if (value !== null) set(directoriesOf(value as KnownName));
              }}
            />
          )}
          <TextInput
            label="Name"
            description="What people of your organisation call it."
            placeholder="letsencrypt"
            required
            {...PLAIN}
            value={draft.name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value.trim().toLowerCase() })}
          />
          {own !== null && (
            <TextInput
              label="Directory"
              description="Address of its ACME directory. It cannot be changed later."
              placeholder="https://ca.example.net/acme/directory"
              required
              {...PLAIN}
              value={draft.directory}
              error={addressProblem(draft.directory) ?? wrong('directory')}
              onChange={(event) => set({ directory: event.currentTarget.value.trim() })}
            />
          )}
          <TextInput
            label="Staging directory"
            description="Where the first order for each host name is tried before it counts. Empty: nowhere."
            {...PLAIN}
            value={draft.staging_directory}
            error={addressProblem(draft.staging_directory) ?? wrong('staging_directory')}
            onChange={(event) => set({ staging_directory: event.currentTarget.value.trim() })}
          />
          <WordsField
            label="Contacts"
            description="Mail addresses at which the authority reaches you."
            placeholder="ops@example.net"
            initial={draft.contacts}
            choices={[]}
            error={wrong('contacts')}
            onChange={(contacts) => set({ contacts })}
          />
          <Select
            label="Challenge"
            description="How gateways show that they speak for a host name. The port has to be reachable from outside."
            allowDeselect={false}
            data={CHALLENGES}
            value={draft.challenge}
            error={wrong('challenge')}
            onChange={(value) => {
              if (value !== null) set({ challenge: value as AuthorityDraft['challenge'] });
            }}
          />
          <Folded
            title="Account binding"
            summary={isBound ? 'Needed, or in use' : 'None'}
            isOpenForced={isBound || wrong('eab_key') !== null || wrong('eab_key_id') !== null}
          >
            <Stack>
              <TextInput
                label="Key ID"
                description="Of external account binding, as the authority gave it."
                {...PLAIN}
                value={draft.eab_key_id}
                error={wrong('eab_key_id')}
                onChange={(event) => set({ eab_key_id: event.currentTarget.value.trim() })}
              />
              <PasswordInput
                label="Key"
                description="In base64url. It is sealed when it is taken, and never shown again."
                autoComplete="new-password"
                value={draft.eab_key}
                error={wrong('eab_key')}
                onChange={(event) => set({ eab_key: event.currentTarget.value })}
              />
            </Stack>
          </Folded>
          <Folded
            title="Roots of its web server"
            summary={draft.roots === '' ? 'Those that browsers know' : 'Its own'}
            isOpenForced={wrong('roots') !== null}
          >
            <PemField
              label="Roots"
              description="For an authority of the company. Empty: those that browsers know."
              placeholder="-----BEGIN CERTIFICATE-----"
              isOptional
              value={draft.roots}
              error={wrong('roots')}
              onChange={(roots) => set({ roots })}
            />
          </Folded>
          <Checkbox
            label={own === null ? 'I agree to the terms as they are now' : 'I agree to the terms of the authority'}
            description={
              own === null
                ? 'Only needed after the authority changed them.'
                : 'Its directory says where they are. An account is made with it at once.'
            }
            checked={draft.agree_terms}
            error={wrong('agree_terms')}
            onChange={(event) => set({ agree_terms: event.currentTarget.checked })}
          />
        </Stack>
      </Section>
      {own !== null && (
        <Section title="Scope">
          <div className={classes.fields}>
            <ScopeFields
              meaning="Ingresses inside this scope can name it."
              own={own}
              value={draft.scope}
              onChange={(scope) => set({ scope })}
              error={error}
            />
          </div>
        </Section>
      )}
    </>
  );
}

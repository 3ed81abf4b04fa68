import { Alert, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { usePanelRead } from '../../api/queries.ts';
import { useMadeTokens } from '../../mesh/made-tokens.ts';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { TokenLines } from '../../mesh/token-lines.tsx';
import { useMay, useSession } from '../../session/session.tsx';
import { SessionsTable } from '../../session/sessions-table.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonRights } from './person-rights.tsx';
import { PersonState } from './person-state.tsx';

export default function PersonPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const person = usePanelRead('users.show', { params: { id } });
  const own = useSession().user.id === id;
  const writes = useMay()('users:write') && !own;
  return (
    <Page
      title={person.data?.body.display_name ?? 'Person'}
      back={{ to: '/people', label: 'People' }}
      actions={writes && person.data !== undefined && <PersonActions user={person.data.body} etag={person.data.etag} />}
    >
      <Loaded query={person}>
        {(user, { etag }) => (
          <Stack gap="lg">
            <Section
              title="Account"
              {...(own ? { description: 'This is you. Only other people can change your rights.' } : {})}
            >
              <Facts
                items={[
                  { label: 'User name', value: user.name },
                  { label: 'ID', value: <Copyable value={user.id} /> },
                  { label: 'State', value: <PersonState state={user.state} /> },
                  { label: 'Role', value: user.role },
                  { label: 'Scope', value: <ScopeText scope={user.scope} /> },
                  {
                    label: 'Groups',
                    value: user.groups.join(', ') || 'None',
                    help: 'Ingresses that require sign-in let members of groups enter.',
                  },
                  ...(user.provider_groups.length === 0
                    ? []
                    : [
                        {
                          label: 'Groups at the provider',
                          value: user.provider_groups.join(', '),
                          help: 'As the identity provider named them at the last sign-in. They count too.',
                        },
                      ]),
                  { label: 'Sign-in methods', value: user.signs_in_by.join(', ') || 'None yet' },
                  { label: 'Invited', value: <Moment at={user.created_at} /> },
                  { label: 'Invited by', value: <Actor actor={user.created_by} /> },
                  { label: 'Last seen', value: user.last_seen_at === null ? 'Never' : <Ago at={user.last_seen_at} /> },
                ]}
              />
            </Section>
            {user.tokens_pending && (
              <Alert color="yellow" variant="light" title="Tokens of this person are being revoked">
                The coordinator has not confirmed it yet. The panel keeps retrying.
              </Alert>
            )}
            {writes && <PersonRights key={etag} user={user} etag={etag} />}
            <Section title="Sessions" description="Browsers where they are signed in.">
              <SessionsTable user={user.id} />
            </Section>
            <MadeTokens user={user.id} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function MadeTokens({ user }: { readonly user: string }) {
  const { data, error, refetch } = useMadeTokens(user);
  if (!useMay()('tokens:read')) return null;
  return (
    <Section
      title="Tokens"
      description="Created or last rotated by this person, directly or with a token of theirs, and still valid. They are revoked when the person is disabled or removed, and when they exceed a new role or scope, unless you keep them."
    >
      {error !== null && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">None.</Text>}
      {data !== undefined && data.length > 0 && <TokenLines tokens={data} label="Tokens of this person" />}
    </Section>
  );
}

import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { User } from '@meshwork/contract';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { fieldError } from '../../ui/said-of-error.ts';
import { Section } from '../../ui/section.tsx';
import { type Rights, RightsFields } from './rights-fields.tsx';
import { tokensToEnd } from './tokens-to-end.tsx';
import { useEndingConfirm } from './use-ending-confirm.tsx';

interface PersonRightsProps {
  readonly user: User;
  readonly etag: string | null;
}

/** Changes name, role, scope and groups; it holds at once, in every open session. */
export function PersonRights({ user, etag }: PersonRightsProps) {
  const [display_name, setDisplayName] = useState(user.display_name);
  const [rights, setRights] = useState<Rights>({ role: user.role, scope: user.scope, groups: user.groups });
  const update = usePanelAction('users.update', {
    quiet: true,
    done: `${user.display_name} updated`,
    touches: ['tokens'],
  });
  const changes = {
    ...(display_name.trim() === user.display_name ? {} : { display_name: display_name.trim() }),
    ...(rights.role === user.role ? {} : { role: rights.role }),
    ...(sameScope(rights.scope, user.scope) ? {} : { scope: rights.scope }),
    ...(rights.groups.join() === user.groups.join() ? {} : { groups: [...rights.groups] }),
  };
  const changed = Object.keys(changes).length > 0;
  const confirmEnding = useEndingConfirm();
  const save = async () => {
    const request = { params: { id: user.id }, ...(etag === null ? {} : { if_match: etag }) };
    const isNew = changes.role !== undefined || changes.scope !== undefined;
    const tokens = isNew ? await tokensToEnd(user.id, { role: rights.role, ...rights.scope }) : [];
    const ends = tokens === null || tokens.length > 0;
    const consequence = `The rights of ${user.display_name} change, and tokens that exceed them are revoked.`;
    const asked = { title: `Change ${user.display_name}`, consequence, action: 'Change', danger: true };
    const keep = ends ? await confirmEnding(asked, tokens) : {};
    if (keep !== undefined) await update.run({ ...request, body: { ...changes, ...keep } });
  };
  return (
    <Section title="Rights" description="Changes apply immediately, in every open session.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save().catch(() => undefined); // shown below
        }}
      >
        <Stack maw="40rem">
          {update.error !== null && <ProblemNotice error={update.error} />}
          <TextInput
            label="Display name"
            required
            maxLength={100}
            value={display_name}
            error={fieldError(update.error, '/display_name') ?? null}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <RightsFields value={rights} onChange={setRights} error={update.error} />
          <Group>
            <Button type="submit" disabled={!changed} loading={update.isRunning}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function sameScope(a: User['scope'], b: User['scope']): boolean {
  return a.team === b.team && a.surface === b.surface && a.environment === b.environment;
}

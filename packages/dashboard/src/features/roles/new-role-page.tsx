import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useRead } from '../../api/queries.ts';
import { PermissionChoice } from '../../mesh/permission-choice.tsx';
import { choosable } from '../../mesh/permission-groups.ts';
import { useSession } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { fieldError } from '../../ui/said-of-error.ts';
import { Section } from '../../ui/section.tsx';

export default function NewRolePage() {
  const { permissions, user } = useSession();
  return (
    <Page title="New role" back={{ to: '/roles', label: 'Roles' }}>
      {permissions.includes('roles:write') ? (
        <RoleForm />
      ) : (
        <EmptyState icon={IconLock} title="Your role does not allow this">
          Creating a role requires the permission <code>roles:write</code>, which the role {user.role} does not have.
        </EmptyState>
      )}
    </Page>
  );
}

function RoleForm() {
  const navigate = useNavigate();
  const permissions = useRead('self.permissions');
  const roles = useRead('roles.list', { query: { limit: 200 } });
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const create = useAction('roles.create', { quiet: true, done: `Role ${name} created` });

  const startFrom = (role: string | null) => {
    const from = roles.data?.body.items.find((one) => one.name === role)?.permissions ?? [];
    const mine = choosable(permissions.data?.body.items ?? []).filter(({ granted }) => granted);
    setChosen(new Set(mine.filter((one) => from.includes(one.name)).map((one) => one.name)));
  };
  const make = async () => {
    await create.run({ body: { name: name.trim(), description: description.trim(), permissions: [...chosen] } });
    await navigate({ to: '/roles/$name', params: { name: name.trim() } });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void make().catch(() => undefined); // shown below
      }}
    >
      <Stack gap="lg">
        {create.error !== null && <ProblemNotice error={create.error} />}
        <Section title="Role">
          <Stack maw="40rem">
            <TextInput
              label="Name"
              description="Lowercase letters, digits and dashes. Cannot be changed later."
              required
              autoComplete="off"
              spellCheck={false}
              value={name}
              error={fieldError(create.error, '/name') ?? null}
              onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
            />
            <Textarea
              label="Description"
              maxLength={500}
              autosize
              value={description}
              error={fieldError(create.error, '/description') ?? null}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
            <Select
              label="Start from"
              description="Copies the permissions of that role that you have yourself."
              placeholder="Nothing"
              clearable
              data={roles.data?.body.items.map((role) => role.name) ?? []}
              onChange={startFrom}
            />
          </Stack>
        </Section>
        <Section title="Permissions" description="Every role also includes self:read.">
          <Loaded query={permissions}>
            {({ items }) => <PermissionChoice permissions={items} chosen={chosen} onChange={setChosen} />}
          </Loaded>
        </Section>
        <Group>
          <Button type="submit" loading={create.isRunning}>
            Create role
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { PermissionInfo, Role } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { PermissionChoice } from '../../mesh/permission-choice.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';

interface CustomRoleProps {
  readonly role: Role;
  readonly etag: string | null;
  readonly permissions: readonly PermissionInfo[];
}

/** A custom role, to change or delete. */
export function CustomRole({ role, etag, permissions }: CustomRoleProps) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const [description, setDescription] = useState(role.description);
  const before = new Set(role.permissions.filter((name) => name !== 'self:read'));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(before);
  const replace = useAction('roles.replace', { quiet: true, done: `${role.name} was changed` });
  const remove = useAction('roles.delete', { done: `${role.name} is gone` });
  const match = etag === null ? {} : { if_match: etag };
  const params = { name: role.name };
  const added = [...chosen].filter((name) => !before.has(name));
  const taken = [...before].filter((name) => !chosen.has(name));
  const changed = added.length > 0 || taken.length > 0 || description !== role.description;

  const save = async () => {
    if (added.length > 0 || taken.length > 0) {
      const gained = added.length === 0 ? '' : `They gain ${added.join(', ')}. `;
      const lost = taken.length === 0 ? '' : `They lose ${taken.join(', ')}.`;
      const consequence = `It holds at once for every token and everybody with this role. ${gained}${lost}`;
      if (!(await confirm({ title: `Change ${role.name}`, consequence, action: 'Change' }))) return;
    }
    await replace.run({ params, body: { description, permissions: [...chosen] }, ...match });
  };
  const removeForGood = async () => {
    const consequence = 'It is refused while a token that still works has the role, or the settings name it.';
    if (await confirm({ title: `Delete ${role.name}`, consequence, action: 'Delete', danger: true })) {
      await remove.run({ params, ...match });
      await navigate({ to: '/roles' });
    }
  };
  // Whatever goes wrong is shown: in place by one, in the corner by the other.
  const run = (what: () => Promise<unknown>) => void what().catch(() => undefined);
  return (
    <Stack gap="lg">
      {replace.error !== null && <ProblemNotice error={replace.error} />}
      <Section title="What it is for">
        <Textarea
          aria-label="What it is for"
          maw="40rem"
          maxLength={500}
          autosize
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Section>
      <Section title="What it may do" description="Every role can also see who it is (self:read).">
        <PermissionChoice permissions={permissions} chosen={chosen} onChange={setChosen} />
      </Section>
      <Group>
        <Button disabled={!changed} loading={replace.isRunning} onClick={() => run(save)}>
          Save
        </Button>
        {/* Not while it is saved: what is deleted is the role as it was read, and that is about to be another. */}
        <Button
          color="red"
          variant="light"
          disabled={replace.isRunning}
          loading={remove.isRunning}
          onClick={() => run(removeForGood)}
        >
          Delete
        </Button>
      </Group>
    </Stack>
  );
}

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
  const replace = useAction('roles.replace', { quiet: true, done: `${role.name} saved` });
  const remove = useAction('roles.delete', { done: `${role.name} deleted` });
  const match = etag === null ? {} : { if_match: etag };
  const params = { name: role.name };
  const added = [...chosen].filter((name) => !before.has(name));
  const taken = [...before].filter((name) => !chosen.has(name));
  const changed = added.length > 0 || taken.length > 0 || description !== role.description;

  const save = async () => {
    if (added.length > 0 || taken.length > 0) {
      const gained = added.length === 0 ? '' : `They gain ${added.join(', ')}. `;
      const lost = taken.length === 0 ? '' : `They lose ${taken.join(', ')}.`;
      const consequence = `Applies immediately to all people and tokens with this role. ${gained}${lost}`;
      if (!(await confirm({ title: `Change ${role.name}`, consequence, action: 'Change' }))) return;
    }
    await replace.run({ params, body: { description, permissions: [...chosen] }, ...match });
  };
  const removeForGood = async () => {
    const consequence = 'A role cannot be deleted while a valid token has it or the settings use it.';
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
      <Section title="Description">
        <Textarea
          aria-label="Description"
          maw="40rem"
          maxLength={500}
          autosize
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Section>
      <Section title="Permissions" description="Every role also includes self:read.">
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

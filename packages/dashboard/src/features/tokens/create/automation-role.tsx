import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { isWholeMesh, ROLE_NAME_PATTERN } from '@meshwork/contract/vocabulary';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { PermissionChoice } from '../../../mesh/permission-choice.tsx';
import { useMay, useSession } from '../../../session/session.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import type { LeastRole } from './least-role.ts';

interface AutomationRoleProps {
  /** What the token is called, for a role of its own. */
  readonly name: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  /** Null: no role that the person could give can do all of it. */
  readonly least: LeastRole | null;
}

/** What an automation has to do, and from that the role: the least that can, or a new one that can do exactly that. */
export function AutomationRole({ name, chosen, onChange, least }: AutomationRoleProps) {
  const catalogue = useRead('self.permissions');
  return (
    <Section title="Permissions" description="Select only what it needs.">
      <Loaded query={catalogue}>
        {({ items }) => <PermissionChoice permissions={items} chosen={chosen} onChange={onChange} />}
      </Loaded>
      {chosen.size > 0 && <Proposal least={least} chosen={chosen} name={name} />}
    </Section>
  );
}

interface ProposalProps {
  readonly least: LeastRole | null;
  readonly chosen: ReadonlySet<string>;
  readonly name: string;
}

function Proposal({ least, chosen, name }: ProposalProps) {
  const { scope } = useSession().user;
  const mayMake = useMay()('roles:write') && isWholeMesh(scope);
  const role_name = roleNameFor(name);
  const create = useAction('roles.create', { quiet: true, done: `Role ${role_name} created` });
  const make = async () => {
    const body = { name: role_name, description: `For the token “${name.trim()}”.`, permissions: [...chosen] };
    await create.run({ body }); // the roles are refetched, and then this one is the smallest
  };
  if (least?.beyond.length === 0) {
    return (
      <Alert color="green" variant="light" icon={<IconCircleCheck aria-hidden />}>
        The role {least.role.name} has exactly these permissions.
      </Alert>
    );
  }
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm">
          {least === null
            ? 'No role that you can assign has all of these permissions.'
            : `The smallest role with these permissions is ${least.role.name}. It also has ${someOf(least.beyond)}.`}
        </Text>
        {mayMake ? (
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              loading={create.isRunning}
              disabled={!new RegExp(ROLE_NAME_PATTERN).test(role_name)}
              onClick={() => void make().catch(() => undefined /* shown below, by create.error */)}
            >
              Create role {role_name} with exactly these permissions
            </Button>
          </Group>
        ) : (
          <Text size="sm">
            A person who manages roles can create one with exactly these permissions{' '}
            {least === null ? '' : '; until then you can use this one'}.
          </Text>
        )}
        {create.error !== null && <ProblemNotice error={create.error} />}
      </Stack>
    </Alert>
  );
}

/** Ours: more than these are counted; all of them stand below, in what it will be able to do. */
const NAMED = 6;

function someOf(permissions: readonly string[]): string {
  const rest = permissions.length - NAMED;
  return rest <= 0 ? permissions.join(', ') : `${permissions.slice(0, NAMED).join(', ')} and ${rest} more`;
}

/** `Backup, nightly` is `backup-nightly`. */
function roleNameFor(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-$/g, '');
  return plain.slice(0, 63);
}

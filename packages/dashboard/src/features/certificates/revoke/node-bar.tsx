import { Button, Group, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { RevocationReason } from '@meshwork/contract';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { plural } from '../../../ui/plural.ts';
import { ReasonField } from './reason-field.tsx';
import { RevokeForm } from './revoke-form.tsx';

/** The list is about one node: the way to it, and what can be done with all its certificates. `node` is a name or an id. */
export function NodeBar({ node }: { readonly node: string }) {
  const may = useMay();
  const { data, error } = useRead('nodes.show', { params: { id: node } }, { enabled: may('nodes:read'), keep: true });
  const found = error === null ? data?.body : undefined;
  const name = found?.name ?? node;
  if (error instanceof ApiError && error.code === 'not_found') {
    return <Text size="sm">There is no node {node} in your boundary.</Text>;
  }
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        Certificates of{' '}
        {found === undefined ? (
          name
        ) : (
          <AnchorLink to="/nodes/$id" params={{ id: found.id }}>
            {name}
          </AnchorLink>
        )}
      </Text>
      {may('ca:revoke') && error === null && <RevokeAllButton name={name} />}
    </Group>
  );
}

function RevokeAllButton({ name }: { readonly name: string }) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState<RevocationReason>('unspecified');
  const revoke = useAction('ca.revoke_all', {
    quiet: true,
    done: ({ revoked }) => `${plural(revoked, 'certificate')} of ${name} revoked`,
    touches: ['overview', 'audit'],
  });
  const open = () => {
    revoke.reset();
    setOpened(true);
  };
  return (
    <>
      <Button color="red" variant="light" size="xs" leftSection={<IconBan size={14} aria-hidden />} onClick={open}>
        Revoke all of this node
      </Button>
      <RevokeForm
        title={`Revoke all certificates of ${name}`}
        consequences={[
          `Every valid certificate that names ${name} is revoked for good, those of its services too.`,
          'Every node has the new revocation list within a heartbeat.',
          `${name} gets a new certificate of its own at once. Its services need new ones. To cut the node off, quarantine it instead.`,
        ]}
        action="Revoke all"
        opened={opened}
        onClose={() => setOpened(false)}
        onSubmit={() => revoke.run({ body: { node: name, reason } })}
        isRunning={revoke.isRunning}
        error={revoke.error}
      >
        <ReasonField value={reason} onChange={setReason} />
      </RevokeForm>
    </>
  );
}

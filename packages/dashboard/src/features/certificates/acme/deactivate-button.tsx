import { Button, Stack, Text } from '@mantine/core';
import type { AcmeAccount } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useConfirm } from '../../../ui/confirm.tsx';

export function DeactivateButton({ account }: { readonly account: AcmeAccount }) {
  const { id, token, revision } = account;
  const deactivate = useAction('acme.deactivate', { done: 'ACME account deactivated', touches: ['audit'] });
  const confirm = useConfirm();
  const title = `Deactivate ACME account of ${token.name}`;
  const ask = async () => {
    const sure = await confirm({
      title,
      consequence: <WhatStops account={account} />,
      action: 'Deactivate',
      danger: true,
    });
    if (sure) await deactivate.run({ params: { id }, if_match: `"${revision}"` });
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={title}
      loading={deactivate.isRunning}
      onClick={() => void ask().catch(() => undefined /* shown by the action */)}
    >
      Deactivate
    </Button>
  );
}

function WhatStops({ account: { works } }: { readonly account: AcmeAccount }) {
  return (
    <Stack gap="xs">
      <Text size="sm">Its client can no longer get or renew certificates. This cannot be undone.</Text>
      <Text size="sm">Its certificates stay valid until they expire or are revoked.</Text>
      {works && (
        <Text size="sm">
          With the key of the same token, a client can create another account. Revoke the token to prevent that.
        </Text>
      )}
    </Stack>
  );
}

import { Button } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { RevokeDialog } from './revoke-dialog.tsx';

interface RevokeButtonProps {
  readonly token: Token;
  readonly etag: string | null;
}

export function RevokeButton({ token, etag }: RevokeButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<IconBan size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Revoke
      </Button>
      <RevokeDialog token={token} etag={etag} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

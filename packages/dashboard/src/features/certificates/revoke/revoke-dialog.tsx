import { Button } from '@mantine/core';
import type { Certificate, RevocationReason } from '@meshwork/contract';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { nameOf } from '../certificate-words.ts';
import { ReasonField } from './reason-field.tsx';
import { RevokeForm } from './revoke-form.tsx';
import { whatBreaks } from './what-breaks.ts';

interface RevokeButtonProps {
  readonly certificate: Certificate;
  readonly etag: string | null;
}

export function RevokeButton({ certificate, etag }: RevokeButtonProps) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState<RevocationReason>('unspecified');
  const name = nameOf(certificate);
  const done = `Certificate of ${name} revoked`;
  const revoke = useAction('ca.revoke', { quiet: true, done, touches: ['overview', 'audit'] });
  const open = () => {
    revoke.reset();
    setOpened(true);
  };
  const run = () =>
    revoke.run({
      params: { id: certificate.id },
      body: { reason },
      ...(etag === null ? {} : { if_match: etag }),
    });
  return (
    <>
      <Button color="red" variant="light" leftSection={<IconBan size={14} aria-hidden />} onClick={open}>
        Revoke certificate
      </Button>
      <RevokeForm
        title={`Revoke certificate of ${name}`}
        consequences={whatBreaks(certificate)}
        action="Revoke certificate"
        opened={opened}
        onClose={() => setOpened(false)}
        onSubmit={run}
        isRunning={revoke.isRunning}
        error={revoke.error}
      >
        <ReasonField value={reason} onChange={setReason} />
      </RevokeForm>
    </>
  );
}

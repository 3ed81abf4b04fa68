import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { CertificateWithChain } from '@meshwork/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { fileNameOf, nameOf } from '../certificate-words.ts';
import { PemText } from '../pem-text.tsx';

interface IssuedProps {
  readonly certificate: CertificateWithChain;
  readonly again: () => void;
}

/** The new certificate, in place of the form. */
export function Issued({ certificate, again }: IssuedProps) {
  const { names, id, not_after, chain } = certificate;
  const top = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: the keyboard goes on from here.
  useEffect(() => top.current?.focus(), []);
  return (
    <Stack>
      <Alert
        ref={top}
        tabIndex={-1}
        role="status"
        color="teal"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        title={`Certificate of ${nameOf(certificate)} issued`}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          For {[...names.dns, ...names.addresses, ...names.uris].join(', ')}. Valid until <Moment at={not_after} />. Its
          holder renews it with a new request before then.
        </Text>
      </Alert>
      <Section
        title="Chain"
        description="The certificate and the intermediate that signed it. Give it to the service together with its private key."
      >
        <PemText label="Certificate chain" text={chain} file={fileNameOf(certificate)} />
      </Section>
      <Group gap="xs">
        <ButtonLink to="/certificates/$id" params={{ id }}>
          Open certificate
        </ButtonLink>
        <Button variant="default" onClick={again}>
          Issue another
        </Button>
      </Group>
    </Stack>
  );
}

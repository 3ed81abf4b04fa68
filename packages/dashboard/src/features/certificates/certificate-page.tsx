import { Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { CertificateState } from '../../ui/state.tsx';
import { CertificateFacts, CertificateNames } from './certificate-facts.tsx';
import { fileNameOf, nameOf } from './certificate-words.ts';
import { PemText } from './pem-text.tsx';
import { RevokeButton } from './revoke/revoke-dialog.tsx';
import { SupersededMark } from './superseded-mark.tsx';

export default function CertificatePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('ca.certificate', { params: { id } });
  const may = useMay();
  const certificate = query.data?.body;
  return (
    <Page
      title={certificate === undefined ? 'Certificate' : nameOf(certificate)}
      back={{ to: '/certificates', label: 'Certificates' }}
      subtitle={
        certificate !== undefined && (
          <Group gap="xs" mt={4}>
            <CertificateState state={certificate.state} />
            <SupersededMark certificate={certificate} />
          </Group>
        )
      }
      actions={
        certificate?.state === 'valid' &&
        may('ca:revoke') && <RevokeButton certificate={certificate} etag={query.data?.etag ?? null} />
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <Stack gap="md">
            <CertificateNames certificate={shown} />
            <CertificateFacts certificate={shown} />
            <Section
              title="Chain"
              description="The certificate and the intermediate that signed it, as servers need it."
            >
              <PemText label="Certificate chain" text={shown.chain} file={fileNameOf(shown)} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

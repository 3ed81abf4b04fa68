import { Button, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { callCoordinator } from '../../../api/queries.ts';
import { Command } from '../../../ui/command.tsx';
import { handOver } from '../../../ui/hand-over.ts';
import { notify } from '../../../ui/notify.tsx';
import { pemFile } from '../certificate-words.ts';
import classes from './trust.module.css';

const BUNDLE = 'meshwork.crt';
const LISTS = 'meshwork.crl';

export function DownloadBundle() {
  return <DownloadPem id="ca.bundle" file={BUNDLE} label="Download trust bundle" />;
}

export function DownloadLists() {
  return <DownloadPem id="ca.crl" file={LISTS} label="Download revocation lists" />;
}

interface DownloadPemProps {
  readonly id: 'ca.bundle' | 'ca.crl';
  readonly file: string;
  readonly label: string;
}

function DownloadPem({ id, file, label }: DownloadPemProps) {
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      const { body } = await callCoordinator(id, {});
      handOver(pemFile(body), file);
    } catch (error) {
      notify.failed(error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      loading={isLoading}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void download()}
    >
      {label}
    </Button>
  );
}

/** The commands for machines that are not nodes: nodes have the roots already. */
export function HowToTrust() {
  return (
    <details className={classes.how}>
      <summary>How to trust the mesh on another machine</summary>
      <Stack gap="sm" mt="sm" maw="52rem">
        <Command
          label="Debian and Ubuntu: for every program that uses the system’s trust store"
          text={`sudo cp ${BUNDLE} /usr/local/share/ca-certificates/${BUNDLE} && sudo update-ca-certificates`}
        />
        <Command label="curl: for one request" text={`curl --cacert ${BUNDLE} https://git-1.mesh/`} />
        <Command
          label="OpenSSL: verify a chain"
          text={`openssl verify -CAfile ${BUNDLE} -untrusted git-1.mesh.pem git-1.mesh.pem`}
        />
        <Command
          label="OpenSSL: the same, and that it was not revoked"
          text={`openssl verify -crl_check -CRLfile ${LISTS} -CAfile ${BUNDLE} -untrusted git-1.mesh.pem git-1.mesh.pem`}
        />
      </Stack>
    </details>
  );
}

import { Button } from '@mantine/core';
import { IconCertificate, IconFilterOff } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NoCertificatesProps {
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function NoCertificates({ isFiltered, clear }: NoCertificatesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No matching certificates"
        action={
          <Button variant="default" onClick={clear}>
            Show all certificates
          </Button>
        }
      >
        Expired certificates are kept for a week.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconCertificate} title="No certificates in your boundary">
      Nodes get theirs with a heartbeat. Issue one for a service from its certificate request.
    </EmptyState>
  );
}

import { IconAccessPoint } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoRelays({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState icon={IconAccessPoint} title="No relays yet" action={action}>
      Nodes that are both behind a NAT often cannot connect directly. A relay carries their traffic, still encrypted: a
      node with Debian’s coturn, or a TURN server that you have already. Two at different sites are a good start.
    </EmptyState>
  );
}

import { IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoIngresses({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState icon={IconWorld} title="No ingresses yet" action={action}>
      An ingress lets people outside of the mesh reach a service: a public host name or port that gateway nodes answer
      for with nginx, with TLS, health checks, load balancing and limits. Tag a node with a public address as a gateway,
      point the host name at it, and create the ingress.
    </EmptyState>
  );
}

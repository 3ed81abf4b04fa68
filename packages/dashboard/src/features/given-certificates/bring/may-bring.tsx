import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** The form, or why it is not there. */
export function MayBring({ children }: { readonly children: ReactNode }) {
  const { role } = useSession().user;
  if (useMay()('given_certificates:write')) return children;
  return (
    <EmptyState icon={IconLock} title="Your role does not allow this">
      Bringing a certificate requires the permission <code>given_certificates:write</code>, which the role {role} does
      not have.
    </EmptyState>
  );
}

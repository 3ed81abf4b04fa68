import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** The form, or why it is not there. */
export function MayWrite({ children }: { readonly children: ReactNode }) {
  const { role } = useSession().user;
  if (useMay()('waf:write')) return children;
  return (
    <EmptyState icon={IconLock} title="Your role does not allow this">
      Changing a WAF policy requires the permission <code>waf:write</code>, which the role {role} does not have.
    </EmptyState>
  );
}

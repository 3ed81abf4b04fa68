import type { Permission } from '@meshwork/contract';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { useMay, useSession } from './session.tsx';

interface PermittedProps {
  readonly permission: Permission;
  /** What it is for, at the beginning of a sentence: `Changing an ingress`. */
  readonly doing: string;
  readonly children: ReactNode;
}

/** A form, or why it is not there. */
export function Permitted({ permission, doing, children }: PermittedProps) {
  const { role } = useSession().user;
  if (useMay()(permission)) return children;
  return (
    <EmptyState icon={IconLock} title="Your role does not allow this">
      {doing} requires the permission <code>{permission}</code>, which the role {role} does not have.
    </EmptyState>
  );
}

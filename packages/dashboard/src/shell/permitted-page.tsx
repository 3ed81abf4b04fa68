import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Feature } from '../feature/feature.ts';
import { useSession } from '../session/session.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { isOffered } from './offered.ts';

interface PermittedPageProps {
  readonly feature: Feature;
  readonly children: ReactNode;
}

/** A page that the role does not allow says so, instead of showing refusals everywhere. */
export function PermittedPage({ feature, children }: PermittedPageProps) {
  const session = useSession();
  if (isOffered(feature, session)) return children;
  return (
    <Page title={feature.title}>
      <EmptyState icon={IconLock} title="Your role does not allow this">
        This page requires the permission <code>{feature.permission}</code>, which the role {session.user.role} does not
        have. Ask an administrator for another role.
      </EmptyState>
    </Page>
  );
}

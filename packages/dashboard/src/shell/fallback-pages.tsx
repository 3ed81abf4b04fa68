/** What is shown in place of a page: it does not exist, it failed, or the role does not allow it. */

import { Button, Stack } from '@mantine/core';
import { IconLock, IconMapOff, IconRefresh } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Feature } from '../feature/feature.ts';
import { useSession } from '../session/session.tsx';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { isOffered } from './offered.ts';

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState icon={IconMapOff} title="This page does not exist" action={<ButtonLink to="/">Overview</ButtonLink>}>
        The link may be outdated, or what it pointed to was removed.
      </EmptyState>
    </Page>
  );
}

/** A page broke. The rest of the dashboard goes on; a reload also fetches a version that was installed meanwhile. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title="This page failed to load">
      <Stack align="flex-start">
        <ProblemNotice error={error} />
        <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => location.reload()}>
          Reload
        </Button>
      </Stack>
    </Page>
  );
}

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

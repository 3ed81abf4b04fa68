import { IconMapOff } from '@tabler/icons-react';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState icon={IconMapOff} title="This page does not exist" action={<ButtonLink to="/">Overview</ButtonLink>}>
        The link may be outdated, or what it pointed to was removed.
      </EmptyState>
    </Page>
  );
}

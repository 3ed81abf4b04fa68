import { IconMapOff } from '@tabler/icons-react';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="No such page">
      <EmptyState
        icon={IconMapOff}
        title="There is nothing at this address"
        action={<ButtonLink to="/">Overview</ButtonLink>}
      >
        The link may be old, or what it led to was removed.
      </EmptyState>
    </Page>
  );
}

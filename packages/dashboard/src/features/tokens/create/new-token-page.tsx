import { IconLock } from '@tabler/icons-react';
import { useSession } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { Section } from '../../../ui/section.tsx';
import { PurposeChoice } from './purpose-choice.tsx';
import { lackingFor, PURPOSES } from './purposes.ts';
import { TokenForm } from './token-form.tsx';

/** A new token: first what it is for, then what follows from that, to be narrowed further. */
export default function NewTokenPage() {
  const [filters, change] = useFilters(['for']);
  const { permissions, user } = useSession();
  const chosen = PURPOSES.find(({ id }) => id === filters.for);
  const purpose = chosen !== undefined && lackingFor(chosen, permissions).length === 0 ? chosen : undefined;
  return (
    <Page
      title="New token"
      subtitle="A token cannot have more permissions than you have."
      back={{ to: '/tokens', label: 'Tokens' }}
    >
      {permissions.includes('tokens:create') ? (
        <>
          <Section title="Purpose">
            <PurposeChoice chosen={purpose?.id ?? null} choose={(id) => change({ for: id })} />
          </Section>
          {purpose !== undefined && <TokenForm key={purpose.id} purpose={purpose} />}
        </>
      ) : (
        <EmptyState icon={IconLock} title="Your role does not allow this">
          Creating a token requires the permission <code>tokens:create</code>, which the role {user.role} does not have.
        </EmptyState>
      )}
    </Page>
  );
}

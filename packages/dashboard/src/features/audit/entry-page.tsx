import { Stack } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EntryChanges } from './entry-changes.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { NarrowButtons } from './narrow-buttons.tsx';

export default function EntryPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const query = useRead('audit.show', { params: { id } });
  const navigate = useNavigate();
  const entry = query.data?.body;
  return (
    <Page
      title={entry?.action ?? 'Audit entry'}
      back={{ to: '/audit', label: 'Audit' }}
      actions={
        entry !== undefined && (
          <NarrowButtons entry={entry} narrow={(search) => void navigate({ to: '/audit', search })} />
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <Stack gap="md">
            <Section title="Details">
              <EntryFacts entry={shown} />
            </Section>
            <Section title="Changes">
              <EntryChanges changes={shown.changes} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

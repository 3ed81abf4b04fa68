import { Drawer, Group } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EntryChanges } from './entry-changes.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { NarrowButtons, type Narrowed } from './narrow-buttons.tsx';

interface EntryDrawerProps {
  /** Null: it is closed. */
  readonly id: string | null;
  readonly onClose: () => void;
  /** Shows only what has this in common with the entry. */
  readonly narrow: (wanted: Narrowed) => void;
}

/** One entry beside the list, which stays usable. */
export function EntryDrawer({ id, onClose, narrow }: EntryDrawerProps) {
  const query = useRead('audit.show', { params: { id: id ?? '' } }, { enabled: id !== null });
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={query.data?.body.action ?? 'Entry'}
    >
      {id !== null && (
        <Loaded query={query}>
          {(entry) => (
            <>
              <EntryFacts entry={entry} />
              <Group my="md" gap="xs">
                <NarrowButtons entry={entry} narrow={narrow} />
                <AnchorLink to="/audit/$id" params={{ id: entry.id }} size="sm">
                  Open full page
                </AnchorLink>
              </Group>
              <EntryChanges changes={entry.changes} />
            </>
          )}
        </Loaded>
      )}
    </Drawer>
  );
}

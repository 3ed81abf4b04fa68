import { Drawer } from '@mantine/core';
import type { PanelAuditEntry } from '@meshwork/contract';
import { EntryFacts } from './entry-facts.tsx';

interface PanelEntryDrawerProps {
  /** Null: it is closed. */
  readonly entry: PanelAuditEntry | null;
  readonly onClose: () => void;
}

export function PanelEntryDrawer({ entry, onClose }: PanelEntryDrawerProps) {
  return (
    <Drawer opened={entry !== null} onClose={onClose} position="right" size="lg" title={entry?.action ?? ''}>
      {entry !== null && <EntryFacts entry={entry} />}
    </Drawer>
  );
}

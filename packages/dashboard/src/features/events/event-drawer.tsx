import { Drawer } from '@mantine/core';
import type { EventRecord } from '@meshwork/contract';
import { May } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { valueWords } from './more-words.ts';

interface EventDrawerProps {
  /** Null: it is closed. */
  readonly event: EventRecord | null;
  readonly onClose: () => void;
}

/** Everything that an event says. */
export function EventDrawer({ event, onClose }: EventDrawerProps) {
  return (
    <Drawer opened={event !== null} onClose={onClose} position="right" size="lg" title={event?.type ?? ''}>
      {event !== null && (
        <>
          <Facts
            items={[
              {
                label: 'When',
                value: (
                  <>
                    <Moment at={event.at} /> (<Ago at={event.at} />)
                  </>
                ),
              },
              { label: `ID of the ${event.subject.kind}`, value: <Copyable value={event.subject.id} /> },
              { label: 'Sequence number', value: <Copyable value={String(event.seq)} /> },
              { label: 'Mesh revision', value: event.revision.toLocaleString() },
              ...Object.entries(event.data).map(([name, value]) => ({
                label: name.replaceAll('_', ' '),
                value: value === null ? 'None' : valueWords(value),
              })),
            ]}
          />
          <May permission="audit:read">
            <AnchorLink to="/audit" search={{ target: event.subject.id }} size="sm" mt="md" display="inline-block">
              View in audit trail
            </AnchorLink>
          </May>
        </>
      )}
    </Drawer>
  );
}

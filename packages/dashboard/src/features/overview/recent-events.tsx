import { useEvents } from '../../live/live.tsx';
import { EventLines } from '../../mesh/event-lines.tsx';
import { May } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Section } from '../../ui/section.tsx';

/** Ours: as many as one takes in at a glance. */
const SHOWN = 12;

export function RecentEvents() {
  const events = useEvents().slice(0, SHOWN);
  return (
    <May permission="events:read">
      <Section
        title="Recent events"
        actions={
          <AnchorLink to="/events" size="sm">
            All events
          </AnchorLink>
        }
      >
        <EventLines events={events} />
      </Section>
    </May>
  );
}

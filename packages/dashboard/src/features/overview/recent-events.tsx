import { Text } from '@mantine/core';
import { eventWords } from '../../feature/event-words.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import { useEvents } from '../../live/live.tsx';
import { May } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './recent-events.module.css';

/** Ours: as many as one takes in at a glance. */
const SHOWN = 12;

export function RecentEvents() {
  const features = useFeatures();
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
        {events.length === 0 ? (
          <Text size="sm" c="dimmed">
            No events since you opened this page.
          </Text>
        ) : (
          <ul className={classes.events}>
            {events.map((event) => {
              const { subject, happened, to } = eventWords(features, event);
              return (
                <li key={event.seq} className={classes.event}>
                  <Text size="sm" span className={classes.words}>
                    {to === null ? (
                      subject
                    ) : (
                      <AnchorLink to={to} inherit underline="always">
                        {subject}
                      </AnchorLink>
                    )}{' '}
                    {happened}
                  </Text>
                  <Text size="xs" c="dimmed" span>
                    <Ago at={event.at} />
                  </Text>
                </li>
              );
            })}
          </ul>
        )}
      </Section>
    </May>
  );
}

import { Text } from '@mantine/core';
import type { EventRecord } from '@meshwork/contract';
import { eventWords } from '../feature/event-words.ts';
import { useFeatures } from '../feature/feature-list.ts';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { Ago } from '../ui/moment.tsx';
import classes from './event-lines.module.css';

/** Events in words, a line each. */
export function EventLines({ events }: { readonly events: readonly EventRecord[] }) {
  const features = useFeatures();
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No events since you opened this page.
      </Text>
    );
  }
  return (
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
  );
}

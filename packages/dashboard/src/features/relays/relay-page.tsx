import { Alert, Group, Text } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { useEvents } from '../../live/live.tsx';
import { AuditSection } from '../../mesh/audit-section.tsx';
import { EventLines } from '../../mesh/event-lines.tsx';
import { May } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { RelayState } from '../../ui/state.tsx';
import { LOOK_EVERY_MS } from './relay-access.ts';
import { RelayActions } from './relay-actions.tsx';
import { RelayFacts, RelayLoadFacts } from './relay-facts.tsx';
import { drainWords, isAbout } from './relay-words.ts';
import classes from './relays.module.css';
import { RelayNodes } from './use/relay-nodes.tsx';

/** Ours: as many as one takes in at a glance. */
const EVENTS_SHOWN = 8;

export default function RelayPage() {
  const { name = '' } = useParams({ strict: false });
  const query = useRead('relays.show', { params: { name } }, { every_ms: LOOK_EVERY_MS });
  const relay = query.data?.body;
  return (
    <Page
      title={relay?.name ?? 'Relay'}
      back={{ to: '/relays', label: 'Relays' }}
      subtitle={
        relay !== undefined && (
          <Group gap="xs" mt={4}>
            <span>
              <RelayState relay={relay} />
            </span>
            <span>{relay.health}</span>
          </Group>
        )
      }
      actions={relay !== undefined && <RelayActions relay={relay} etag={query.data?.etag ?? undefined} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <>
            <Notice relay={shown} />
            <div className={classes.columns}>
              <div className={classes.column}>
                <May permission="nodes:read">
                  <RelayNodes relay={shown} />
                </May>
                <May permission="audit:read">
                  <AuditSection target={shown.name} />
                </May>
              </div>
              <div className={classes.column}>
                <RelayFacts relay={shown} />
                <RelayLoadFacts load={shown.load} kind={shown.kind} />
                <May permission="events:read">
                  <RelayEvents name={shown.name} />
                </May>
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Notice({ relay }: { readonly relay: Relay }) {
  const drain = drainWords(relay);
  return (
    <>
      {!relay.healthy && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="It is not given to nodes">
          <Text size="sm">
            Nodes use it only while a packet of another node has come back through it within the last minute.{' '}
            {relay.health}
          </Text>
        </Alert>
      )}
      {drain !== null && (
        <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />} title="Draining">
          <Text size="sm">{drain}</Text>
        </Alert>
      )}
    </>
  );
}

function RelayEvents({ name }: { readonly name: string }) {
  const events = useEvents().filter((event) => isAbout(name, event));
  return (
    <Section title="Recent events">
      <EventLines events={events.slice(0, EVENTS_SHOWN)} />
    </Section>
  );
}

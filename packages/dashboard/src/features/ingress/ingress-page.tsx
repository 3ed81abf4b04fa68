import { Alert, Group, Text } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { useEvents } from '../../live/live.tsx';
import { AuditSection } from '../../mesh/audit-section.tsx';
import { EventLines } from '../../mesh/event-lines.tsx';
import { Orders } from '../../mesh/orders.tsx';
import { May } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { IngressState, MaintenanceBadge } from '../../ui/state.tsx';
import { FromOutside } from './detail/from-outside.tsx';
import { Gateways } from './detail/gateways.tsx';
import { IngressCertificates } from './detail/ingress-certificates.tsx';
import { IngressFacts } from './detail/ingress-facts.tsx';
import { IngressTrafficCard } from './detail/ingress-traffic.tsx';
import { Redirects } from './detail/redirects.tsx';
import { Routes } from './detail/routes.tsx';
import { Targets } from './detail/targets.tsx';
import { TrafficRules } from './detail/traffic-rules.tsx';
import { HostnameLink } from './hostname-link.tsx';
import classes from './ingress.module.css';
import { IngressActions } from './ingress-actions.tsx';
import { noticesOf } from './ingress-notices.ts';
import { LOOK_EVERY_MS } from './ingress-words.ts';

/** Ours: as many as one takes in at a glance. */
const EVENTS_SHOWN = 8;

export default function IngressPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('ingress.show', { params: { id } }, { every_ms: LOOK_EVERY_MS });
  const ingress = query.data?.body;
  return (
    <Page
      title={ingress?.name ?? 'Ingress'}
      back={{ to: '/ingress', label: 'Ingress' }}
      subtitle={
        ingress !== undefined && (
          <Group gap="xs" mt={4}>
            <span>
              <IngressState state={ingress.state} /> {ingress.maintenance !== null && <MaintenanceBadge />}
            </span>
            <HostnameLink ingress={ingress} isWhole />
          </Group>
        )
      }
      actions={ingress !== undefined && <IngressActions ingress={ingress} etag={query.data?.etag ?? undefined} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <>
            <Notices ingress={shown} />
            <div className={classes.columns}>
              <div className={classes.column}>
                <Gateways ingress={shown} />
                <IngressTrafficCard key={shown.id} ingress={shown} />
                <Targets ingress={shown} />
                <Routes ingress={shown} />
                <Redirects ingress={shown} />
                <TrafficRules ingress={shown} />
                <May permission="audit:read">
                  <AuditSection target={shown.id} />
                </May>
              </div>
              <div className={classes.column}>
                <IngressFacts ingress={shown} />
                <FromOutside key={shown.id} ingress={shown} />
                {shown.kind === 'http' && shown.tls.certificate === 'mesh' && (
                  <May permission="ca:read">
                    <IngressCertificates hostname={shown.hostname} />
                  </May>
                )}
                {shown.tls.certificate.startsWith('outside_') && (
                  <Section
                    title="Certificate"
                    description="An outside authority issues it, and it is renewed by itself."
                  >
                    <Orders
                      authority={shown.tls.certificate}
                      keep={({ hostname }) => hostname === shown.hostname}
                      empty="It is ordered in a moment."
                    />
                  </Section>
                )}
                <May permission="events:read">
                  <IngressEvents id={shown.id} />
                </May>
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Notices({ ingress }: { readonly ingress: Ingress }) {
  return noticesOf(ingress).map(({ tone, title, text }) => {
    const Shown = tone === 'blue' ? IconInfoCircle : IconAlertTriangle;
    return (
      <Alert key={title} color={tone} variant="light" icon={<Shown aria-hidden />} title={title}>
        <Text size="sm" className={classes.notice}>
          {text}
        </Text>
      </Alert>
    );
  });
}

function IngressEvents({ id }: { readonly id: string }) {
  const events = useEvents().filter(({ subject }) => subject.kind === 'ingress' && subject.id === id);
  return (
    <Section title="Recent events">
      <EventLines events={events.slice(0, EVENTS_SHOWN)} />
    </Section>
  );
}

import { Alert, List, Text } from '@mantine/core';
import type { GivenCertificate } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { AuditSection } from '../../mesh/audit-section.tsx';
import { NodeLink } from '../../mesh/node-link.tsx';
import { Orders } from '../../mesh/orders.tsx';
import { May, useMay } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import classes from '../../ui/record.module.css';
import { Section } from '../../ui/section.tsx';
import { CertificateActions } from './certificate-actions.tsx';
import { CertificateFacts } from './certificate-facts.tsx';
import { GivenState, ShownState, UncoveredBadge } from './given-state.tsx';
import { LOOK_EVERY_MS, shownWords } from './given-words.ts';

export default function CertificatePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('given_certificates.show', { params: { id } }, { every_ms: LOOK_EVERY_MS });
  const given = query.data?.body;
  const etag = query.data?.etag ?? undefined;
  return (
    <Page
      title={given?.name ?? 'Given certificate'}
      back={{ to: '/given-certificates', label: 'Given certificates' }}
      subtitle={given !== undefined && <GivenState state={given.state} />}
      actions={given !== undefined && <CertificateActions given={given} etag={etag} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <>
            <Warnings given={shown} />
            <div className={classes.columns}>
              <div className={classes.column}>
                <Order given={shown} />
                <Users given={shown} />
                <Gateways given={shown} />
                <May permission="audit:read">
                  <AuditSection target={shown.id} />
                </May>
              </div>
              <div className={classes.column}>
                <CertificateFacts given={shown} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Warnings({ given: { warnings } }: { readonly given: GivenCertificate }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title="Some clients may refuse it">
      <List size="sm">
        {warnings.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Of one that an authority issued: when it is renewed, and another attempt. */
function Order({ given: { id, authority } }: { readonly given: GivenCertificate }) {
  const may = useMay()('ingress:read');
  if (authority === null || !may) return null;
  return (
    <Section title="Order" description="The authority issues it, and it is renewed by itself.">
      <Orders
        authority={authority.id}
        keep={(order) => order.id === id}
        empty="Its order is gone: no ingress needs it."
      />
    </Section>
  );
}

function Users({ given: { name, used_by } }: { readonly given: GivenCertificate }) {
  return (
    <Section title="Ingresses">
      {used_by.length === 0 ? (
        <Text size="sm" c="dimmed">
          No ingress shows it. Choose it in the form of an ingress, or on the command line:{' '}
          <code>mesh ingress set NAME --certificate {name}</code>
        </Text>
      ) : (
        <ul className={classes.lines} aria-label="Ingresses that show it">
          {used_by.map(({ ingress, name: user, hostname, covered }) => (
            <li key={ingress}>
              <div className={classes.head}>
                <AnchorLink to="/ingress/$id" params={{ id: ingress }}>
                  {user}
                </AnchorLink>
                {!covered && <UncoveredBadge />}
              </div>
              <span className={classes.below}>{hostname}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What each gateway found in a handshake with itself. */
function Gateways({ given }: { readonly given: GivenCertificate }) {
  const { shown_by, used_by } = given;
  if (shown_by.length === 0) return null;
  const hostOf = (id: string) => used_by.find(({ ingress }) => ingress === id)?.hostname ?? id;
  return (
    <Section title="Gateways" description={`Clients get it at ${shownWords(given)}, as handshakes prove.`}>
      <ul className={classes.lines} aria-label="Gateways that are to show it">
        {shown_by.map(({ node, ingress, current, fingerprint, problem }) => (
          <li key={`${node} ${ingress}`}>
            <div className={classes.head}>
              <NodeLink id={node} />
              <ShownState isProven={current} />
            </div>
            <span className={classes.below}>{hostOf(ingress)}</span>
            {problem !== null && <Text size="sm">{problem}</Text>}
            {!current && fingerprint !== null && <span className={classes.below}>Clients get {fingerprint}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

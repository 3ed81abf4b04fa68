import { Text } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { CertificateState } from '../../../ui/state.tsx';
import classes from '../ingress.module.css';

/** Ours: an ingress has one a gateway, and few gateways. */
const SHOWN = 20;

/** What gateways show to clients: one certificate for each gateway, for the host name. */
export function IngressCertificates({ hostname }: { readonly hostname: string }) {
  const query = useRead('ca.certificates', {
    query: { q: hostname, profile: 'ingress', state: 'valid', current: true, limit: SHOWN },
  });
  return (
    <Section
      title="Certificates"
      actions={
        <AnchorLink to="/certificates" search={{ q: hostname, profile: 'ingress' }} size="sm">
          All certificates
        </AnchorLink>
      }
    >
      <Loaded query={query}>
        {({ items }) => {
          // The coordinator looks for a part of a name.
          const own = items.filter(({ names }) => names.dns.includes(hostname));
          if (own.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                No valid certificate yet. The mesh CA has to certify the domain.
              </Text>
            );
          }
          return (
            <ul className={classes.lines}>
              {own.map(({ id, serial, state, not_after }) => (
                <li key={id} className={classes.line}>
                  <AnchorLink to="/certificates/$id" params={{ id }} className={classes.mono}>
                    {serial.slice(0, 16)}
                  </AnchorLink>
                  <CertificateState state={state} />
                  <Text span size="sm" c="dimmed">
                    Expires <Ago at={not_after} />
                  </Text>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}

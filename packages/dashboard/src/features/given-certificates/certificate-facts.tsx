import type { GivenCertificate } from '@meshwork/contract';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';

export function CertificateFacts({ given }: { readonly given: GivenCertificate }) {
  const { id, names, issuer, issuers, key_type, fingerprint, serial, scope, not_before, not_after } = given;
  const { created_at, created_by, replaced_at, authority, renew_at } = given;
  return (
    <Section title="Details">
      <Facts
        items={[
          { label: 'For', value: names.join(', '), help: 'A wildcard stands for exactly one label.' },
          { label: 'Valid from', value: <Moment at={not_before} /> },
          { label: 'Valid until', value: <Moment at={not_after} /> },
          { label: 'Issued by', value: issuer },
          {
            label: 'Issuers with it',
            value: issuers,
            help: 'Certificates that gateways send with it, so that clients find the way to a root.',
          },
          { label: 'Key', value: key_type, help: 'Sealed in the store, and sent only to gateways that show it.' },
          { label: 'SHA-256', value: <Copyable value={fingerprint} /> },
          { label: 'Serial number', value: <Copyable value={serial} /> },
          { label: 'Scope', value: <ScopeText scope={scope} /> },
          ...(authority === null
            ? []
            : [
                {
                  label: 'Ordered from',
                  value: (
                    <AnchorLink to="/outside-authorities/$id" params={{ id: authority.id }}>
                      {authority.name}
                    </AnchorLink>
                  ),
                },
              ]),
          ...(renew_at === null ? [] : [{ label: 'Renewed', value: <Moment at={renew_at} /> }]),
          {
            label: authority === null ? 'Brought' : 'Ordered',
            value: (
              <>
                <Moment at={created_at} /> by <Actor actor={created_by} />
              </>
            ),
          },
          ...(replaced_at === null ? [] : [{ label: 'Last replaced', value: <Moment at={replaced_at} /> }]),
          { label: 'ID', value: <Copyable value={id} /> },
        ]}
      />
    </Section>
  );
}

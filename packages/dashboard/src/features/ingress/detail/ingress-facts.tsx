import type { Ingress } from '@meshwork/contract';
import { OutsideAuthorityLink } from '../../../mesh/outside-authority-link.tsx';
import { ScopeText } from '../../../mesh/scope-text.tsx';
import { WafPolicyLink } from '../../../mesh/waf-policy-link.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { addressOf, type IngressKind, KIND_WORDS } from '../ingress-kinds.ts';
import {
  clientsWords,
  connectionsOf,
  openWords,
  proxiesWords,
  signInWords,
  targetWords,
  tlsWords,
} from '../ingress-words.ts';

const KIND_HELP: Readonly<Record<IngressKind, string>> = {
  http: 'Gateways route each request by host name and path. gRPC and websockets are requests too.',
  tls: 'Gateways route TLS connections by host name, and do not decrypt them.',
  tcp: 'Gateways pass on every connection to the port.',
  udp: 'Gateways pass on every packet to the port.',
};

export function IngressFacts({ ingress }: { readonly ingress: Ingress }) {
  const { id, kind, proxies, gateways, replicas, scope, created_at } = ingress;
  const tls = tlsWords(ingress);
  const clients = clientsWords(ingress.tls);
  const isGiven = ingress.tls.certificate.startsWith('given_');
  const isOrdered = ingress.tls.certificate.startsWith('outside_');
  return (
    <Section title="Details">
      <Facts
        items={[
          {
            label: 'Address',
            value: <Copyable value={addressOf(ingress)} />,
            help: 'What clients outside connect to.',
          },
          { label: 'Kind', value: KIND_WORDS[kind], help: KIND_HELP[kind] },
          ...(tls === null ? [] : [{ label: 'TLS', value: tls, help: 'Between clients and gateways.' }]),
          ...(isGiven
            ? [
                {
                  label: 'Given certificate',
                  value: (
                    <AnchorLink to="/given-certificates/$id" params={{ id: ingress.tls.certificate }}>
                      {ingress.tls.certificate}
                    </AnchorLink>
                  ),
                  help: 'From an authority of the operator’s choice, with its key.',
                },
              ]
            : []),
          ...(isOrdered
            ? [
                {
                  label: 'Outside authority',
                  value: <OutsideAuthorityLink id={ingress.tls.certificate} />,
                  help: 'It issues the certificate, which is renewed by itself.',
                },
              ]
            : []),
          ...(clients === null
            ? []
            : [
                {
                  label: 'Client certificates',
                  value: clients,
                  help: 'Gateways check them against the mesh CA and its revocation lists, and pass their names on to the service.',
                },
              ]),
          ...(proxies === null
            ? []
            : [
                {
                  label: 'Trusted proxies',
                  value: proxiesWords(proxies),
                  help: 'Proxies in front of the gateways, and the header in which they send the address of the client.',
                },
              ]),
          ...(ingress.mesh_identity
            ? [
                {
                  label: 'Mesh identity',
                  value: 'Passed on to the service',
                  help: 'The service learns which node of the mesh asks, in X-Mesh-Node.',
                },
              ]
            : []),
          ...(ingress.sign_in === null
            ? []
            : [
                {
                  label: 'Sign-in',
                  value: signInWords(ingress.sign_in),
                  help: 'People sign in at this panel. The service learns who they are, in X-Mesh-User and X-Mesh-Groups.',
                },
                {
                  label: 'Without sign-in',
                  value: openWords(ingress.sign_in),
                  help: 'What reaches the service although no person has signed in.',
                },
              ]),
          ...(kind === 'http'
            ? [{ label: 'WAF', value: <WafPolicyLink id={ingress.waf} />, help: 'What requests have to pass.' }]
            : []),
          {
            label: 'Gateways',
            value: `${replicas} of ${gateways.join(', ')}`,
            help: 'How many gateways serve it at once, and which nodes may be one.',
          },
          {
            label: 'Targets',
            value: targetWords(ingress),
            help: 'Nodes that it leads to. One is up when a gateway found that it answers.',
          },
          {
            label: 'Connections',
            value: connectionsOf(ingress)?.toLocaleString() ?? 'Not reported',
            help: 'Open ones on all gateways, as of their last heartbeat.',
          },
          {
            label: 'Scope',
            value: <ScopeText scope={scope} />,
            help: 'It leads only to nodes inside of it.',
          },
          { label: 'Created', value: <Moment at={created_at} /> },
          { label: 'ID', value: <Copyable value={id} /> },
        ]}
      />
    </Section>
  );
}

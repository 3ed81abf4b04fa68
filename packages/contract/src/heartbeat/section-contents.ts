/** What stands in each section of the answer to a heartbeat. `sections.ts` is the table of them. */

import { NodeRule } from '../firewall-rule.ts';
import { idPattern } from '../ids.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import {
  Cidrs,
  Endpoints,
  NodeIdText,
  NodeName,
  NodeStateText,
  RelayedPlaces,
  Tags,
  WireguardKey,
} from '../node-fields.ts';
import { type Static, type TSchema, Type } from '../type.ts';
import { GivenCertificatesSection } from './given-certificates-section.ts';
import { IngressSection } from './ingress-section.ts';
import { AssignedRelay, OwnRelay, RelayAccessSection, RelayNameText, RelaysSection } from './relay-sections.ts';
import { record } from './section-record.ts';
import type { Section } from './sections.ts';
import { WafSection } from './waf-section.ts';

const Address = Type.String({ description: 'Its IPv4 address in the mesh, as a /32.' });
const Address6 = Type.String({ description: 'Its IPv6 address in the mesh, as a /128.' });

const OfferedServices = Type.Optional(
  Type.Array(
    record(
      {
        name: Type.String({ description: 'Its name.' }),
        protocol: Type.Enum(['tcp', 'udp'], { description: 'Its protocol.' }),
        port: Type.Integer({ description: 'Where it listens.' }),
      },
      'A service of a node.',
    ),
    { description: 'Services that it offers, apart from those whose check fails. Absent: none.' },
  ),
);

/** What the node itself should be. */
export const SelfSection = named(
  'SelfSection',
  record(
    {
      name: NodeName,
      address: Address,
      address6: Address6,
      networks: Cidrs(
        'Networks that addresses in the mesh are taken from, IPv4 and IPv6. A peer whose address is older than these may lie outside.',
      ),
      tags: Tags,
      state: NodeStateText,
      routes: Cidrs('Networks it forwards to for its peers: offered, approved, and chosen by the coordinator.'),
      services: OfferedServices,
      port_mapping: Type.Optional(
        Type.Literal(true, {
          description:
            'The node asks its router to map a port to WireGuard, and reports it among its endpoints. Absent: it asks for none, and has one deleted that it has.',
        }),
      ),
    },
    'What the node itself should be.',
  ),
);
export type SelfSection = Static<typeof SelfSection>;

/** Everything a node needs to know about another one in order to talk to it. */
export const Peer = named(
  'Peer',
  record(
    {
      id: NodeIdText,
      name: NodeName,
      wireguard_key: WireguardKey,
      address: Address,
      address6: Address6,
      endpoints: Endpoints,
      relayed: Type.Optional(RelayedPlaces),
      relay: maybe(RelayNameText, 'The relay it listens on. Null: it has none.'),
      services: OfferedServices,
    },
    'A peer.',
  ),
);
export type Peer = Static<typeof Peer>;

/** Records about peers: all of them, or what changed. */
const changing = <R extends TSchema>(of: R, gone: string, description: string) =>
  record(
    {
      full: Type.Optional(
        Type.Array(of, { description: 'All of them, in place of whatever the agent holds. Alone, or absent.' }),
      ),
      upsert: Type.Optional(Type.Array(of, { description: 'New ones, and known ones that changed.' })),
      remove: Type.Optional(Type.Array(NodeIdText, { description: gone })),
    },
    description,
  );

const PeersSection = named(
  'PeersSection',
  changing(Peer, 'Those that are none any more.', 'Peers, as all of them or as the difference.'),
);

const Allow = (description: string) => Type.Array(Type.String(), { description });

/** What is allowed between the node and one of its peers. */
export const PeerTerms = named(
  'PeerTerms',
  record(
    {
      peer: NodeIdText,
      allow: Allow('What the peer may do on this node: `tcp:22`, `tcp:8000-8999`, `icmp`, `*`. Empty: nothing.'),
      forward: Type.Array(
        record({ to: Type.String({ description: 'The network.' }), allow: Allow('What.') }, 'What, and where.'),
        { description: 'What the peer may do in networks that this node forwards to.' },
      ),
      routes: Cidrs('Networks that this node may reach through the peer.'),
      routes_via: Type.Optional(
        Cidrs('Those of `routes` that a grant names the peer for, which is in another boundary. Absent: none.'),
      ),
      routes_shared: Type.Optional(
        Cidrs(
          'Those of `routes` that are approved for the whole mesh, with the peer in another boundary. Absent: none. Of several peers with a network, one of the node’s own boundary is used first, then one in `routes_via`, then one in `routes_shared`; among equals the one with the lowest id.',
        ),
      ),
    },
    'What is allowed between the node and one of its peers.',
  ),
);
export type PeerTerms = Static<typeof PeerTerms>;

const AclSection = named(
  'AclSection',
  changing(
    PeerTerms,
    'Peers that nothing is allowed with any more.',
    'What the policy allows, as all of it or as the difference. A peer without terms may do nothing here.',
  ),
);

export const FirewallSection = named(
  'FirewallSection',
  Type.Array(NodeRule, { description: 'The host rules of the node, all of them, in order.' }),
);
export type FirewallSection = Static<typeof FirewallSection>;

/** A name of the mesh that is neither a node's nor a service's. */
const NodeDnsRecord = record(
  {
    name: Type.String({ description: 'Below the domain of the mesh: `git`, `*.apps`.' }),
    addresses: Type.Optional(Type.Array(Type.String(), { description: 'IPv4 and IPv6. Absent: it is an alias.' })),
    cname: Type.Optional(Type.String({ description: 'What it is an alias of. Absent: it has addresses.' })),
  },
  'A DNS record.',
);

export const DnsSection = named(
  'DnsSection',
  record(
    {
      records: Type.Array(NodeDnsRecord, { description: 'Those that the node may resolve, in order of name.' }),
      routing_domains: Type.Array(
        record(
          {
            domain: Type.String({ description: 'The domain, with all names below it.' }),
            resolvers: Type.Array(Type.String(), { description: 'Addresses of its resolvers, tried in this order.' }),
          },
          'A domain and its resolvers.',
        ),
        { description: 'Domains that the node resolves by resolvers of their own (split DNS).' },
      ),
      ingresses: Type.Optional(
        Type.Array(
          record(
            {
              hostname: Type.String({ description: 'The public host name.' }),
              addresses: Type.Array(Type.String(), {
                description: 'Of its gateways in the mesh that serve it and that the node may reach, IPv4 and IPv6.',
              }),
            },
            'The host name of an ingress.',
          ),
          {
            description:
              'Host names that the node reaches through the mesh, in order of name. Any other is resolved as it always was. Absent: there are none.',
          },
        ),
      ),
    },
    'Names beside those of nodes and services.',
  ),
);
export type DnsSection = Static<typeof DnsSection>;
const OwnDns = maybe(
  DnsSection,
  'Null: there are no records and no ingresses that the node may resolve, and no routing domains.',
);

export const TrustSection = named(
  'TrustSection',
  record(
    {
      roots: Type.Array(Type.String(), { description: 'The roots to trust, each in PEM.' }),
      revocation_lists: Type.Array(Type.String(), {
        description: 'The newest revocation list of every authority, each in PEM.',
      }),
    },
    'What certificates of the mesh are checked against.',
  ),
);
export type TrustSection = Static<typeof TrustSection>;
const AssignedTrust = maybe(TrustSection, 'Null: the mesh has no authority yet.');

export const CertificateSection = named(
  'CertificateSection',
  record(
    {
      chain: maybe(
        Type.String(),
        'Its certificate and the intermediate that signed it, in PEM. Null: it has none now, and should use none.',
      ),
      request: Type.Boolean({
        description:
          'True: the node makes a new key and sends a certificate request in `report.certificate_request`. It uses what it has until the new one is there.',
      }),
    },
    'The certificate of the node.',
  ),
);
export type CertificateSection = Static<typeof CertificateSection>;
const OwnCertificate = maybe(CertificateSection, 'Null: the node may have none, as one that is not approved.');

/** The kinds of commands there are, each one an operation on a node. */
export const COMMAND_KINDS = ['rekey', 'diagnose'] as const;

/** What is no state: something to do once. Its result comes with a later heartbeat, under the same id. */
export const Command = named(
  'Command',
  record(
    {
      id: Type.String({ pattern: idPattern('operation'), description: 'The operation it belongs to.' }),
      kind: Type.Enum(COMMAND_KINDS, {
        description:
          '`rekey`: make a new WireGuard key, use it, and report it; the same one when the command comes again. `diagnose`: answer with diagnostics of the node.',
      }),
    },
    'Something for the agent to do once.',
  ),
);
export type Command = Static<typeof Command>;
const CommandsSection = Type.Array(Command, { description: 'All that are still to be done.' });

/** The member of the answer that each section is. */
export const SECTION_SCHEMAS = {
  self: SelfSection,
  peers: PeersSection,
  acl: AclSection,
  firewall: FirewallSection,
  relay: AssignedRelay,
  ingress: IngressSection,
  waf: WafSection,
  given_certificates: GivenCertificatesSection,
  dns: OwnDns,
  relays: RelaysSection,
  relay_server: OwnRelay,
  relay_access: RelayAccessSection,
  trust: AssignedTrust,
  certificate: OwnCertificate,
  commands: CommandsSection,
} as const satisfies Readonly<Record<Section, TSchema>>;
export type SectionSchemas = typeof SECTION_SCHEMAS;
export type SectionContent<S extends Section> = Readonly<Static<SectionSchemas[S]>>;

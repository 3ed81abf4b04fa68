/** What nodes are sent of relays: the one that each uses, those to measure and to prove, and the one that it runs. */

import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { RELAY_USES } from '../path-words.ts';
import { RELAY_CERTIFICATES } from '../relay-words.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { record } from './section-record.ts';

export const RelayNameText = Type.String({ description: 'Name of a relay.' });

const PortRange = (description: string) =>
  record(
    { first: Type.Integer({ description: 'The first port.' }), last: Type.Integer({ description: 'The last port.' }) },
    description,
  );
const STUN_PORTS =
  'Further UDP ports that answer STUN. With them a node learns whether its NAT counts, and which port it gives next. Absent: none.';

const RelayTls = record(
  {
    port: Type.Integer({ description: 'TCP port.' }),
    server_name: Type.String({ description: 'The name that its certificate has to be for.' }),
    trust: Type.Enum(RELAY_CERTIFICATES, {
      description: '`mesh`: the roots of the mesh. `public`: the authorities that the host trusts.',
    }),
  },
  'How it is reached by TLS.',
);

export const RelaySection = named(
  'RelaySection',
  record(
    {
      name: RelayNameText,
      host: Type.String({ description: 'Host name or address that nodes reach it on.' }),
      port: Type.Integer({ description: 'Port, of UDP and TCP.' }),
      tls: Type.Optional(RelayTls),
      stun_ports: Type.Optional(PortRange(STUN_PORTS)),
      any_address: Type.Optional(
        Type.Literal(true, {
          description:
            'The operator allows relays at loopback, link-local and other addresses that no peer can have. Absent: no request is sent to such an address, nor to one that the host name resolves to.',
        }),
      ),
    },
    'The relay that the node should use.',
  ),
);
export type RelaySection = Static<typeof RelaySection>;
export const AssignedRelay = maybe(RelaySection, 'Null: none is assigned.');

export const RelaysSection = named(
  'RelaysSection',
  Type.Array(RelaySection, {
    description:
      'Relays to measure, all of them: the node sends each a STUN request, and reports the round trip in `observed.relays`.',
  }),
);
export type RelaysSection = Static<typeof RelaysSection>;

/** The relay that the node runs. */
export const RelayServerSection = named(
  'RelayServerSection',
  record(
    {
      name: RelayNameText,
      host: Type.String({ description: 'Host name or address that nodes reach it on.' }),
      any_address: Type.Optional(Type.Literal(true, { description: 'Special addresses count too, as in `relay`.' })),
      realm: Type.String({ description: 'What its credentials are for.' }),
      port: Type.Integer({ description: 'Port, of UDP and TCP.' }),
      stun_ports: Type.Optional(PortRange(STUN_PORTS)),
      tls: maybe(
        record(
          {
            port: Type.Integer({ description: 'TCP port.' }),
            certificate: Type.Enum(RELAY_CERTIFICATES, {
              description: '`mesh`: that of the node. `public`: one that the agent is configured with.',
            }),
          },
          'How it listens by TLS.',
        ),
        'Null: it does not listen by TLS.',
      ),
      secrets: Type.Array(Type.String(), {
        description: 'What its credentials are made with, the newest first. It accepts those of each. Secrets.',
      }),
      peers: Type.Array(Type.String(), {
        description:
          'Hosts of all relays, as names or addresses. It sends to their addresses, and to no other: a relay carries packets between relays.',
      }),
      allocations: Type.Integer({ description: 'Allocations that it makes at most, in all.' }),
      allocations_a_node: Type.Integer({ description: 'Allocations that it makes for one node at most.' }),
    },
    'The relay that the node runs.',
  ),
);
export type RelayServerSection = Static<typeof RelayServerSection>;
export const OwnRelay = maybe(RelayServerSection, 'Null: it runs none.');

/** What a node needs in order to send through a relay. */
export const RelayAccess = named(
  'RelayAccess',
  record(
    {
      relay: RelaySection,
      use: Type.Optional(
        Type.Enum(RELAY_USES, {
          description:
            '`home`: the node receives by it. `standby`: it receives by it too, and goes on by it when the other is lost. Absent: to prove that it works, and no more.',
        }),
      ),
      username: Type.String({ description: 'Says until when it is good, and for which node.' }),
      password: Type.String({ description: 'A secret.' }),
      expires_at: Timestamp('When it ends. The section changes before.'),
    },
    'Access to a relay.',
  ),
);
export type RelayAccess = Static<typeof RelayAccess>;
export const RelayAccessSection = Type.Array(RelayAccess, {
  description: 'Relays that the node may send through, its own first.',
});

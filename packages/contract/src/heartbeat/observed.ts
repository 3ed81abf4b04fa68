/** What a node observes. Everything is optional: absent means unchanged since the last heartbeat that was answered. */
import { idPattern } from '../ids.ts';
import { maybe } from '../maybe.ts';
import { Endpoint, NodeIdText } from '../node-fields.ts';
import { Strict } from '../operation.ts';
import { LINK_PATHS, MAX_WHY_LENGTH, TRIED_OUTCOMES } from '../path-words.ts';
import { RelayLoad, RelayProof } from '../relay-reports.ts';
import { RELAY_TRANSPORTS } from '../relay-words.ts';
import { Timestamp } from '../timestamp.ts';
import { TrafficObserved } from '../traffic-counts.ts';
import { type Static, Type } from '../type.ts';
import { UpstreamHealth } from '../upstream-reports.ts';
import { WafObserved } from '../waf-reports.ts';
import { Repair } from './applied.ts';
import { MAX_FOREIGN_RULES, MAX_FOREIGN_TEXT, MAX_LINKS, MAX_REPAIRS } from './limits.ts';

const bytes = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** What became of one endpoint of a peer. */
export const TriedEndpoint = Strict({
  endpoint: Endpoint,
  outcome: Type.Enum(TRIED_OUTCOMES, {
    description:
      '`answered`: the peer did, from there. `silent`: nothing came. `unreachable`: the host has no route there.',
  }),
  rtt_ms: Type.Optional(Type.Number({ minimum: 0, maximum: 600_000, description: 'Round trip. Absent: no answer.' })),
});

/** One side's view of a link. */
export const LinkReport = Strict(
  {
    peer: NodeIdText,
    path: Type.Enum(LINK_PATHS, {
      description:
        '`idle`: not in use; its next packet goes through `relay`. `none`: no packet has come through, or not for long.',
    }),
    relay: Type.Optional(
      Type.String({ maxLength: 63, description: 'The relay of the peer that its packets go to. Absent: none.' }),
    ),
    via: Type.Optional(
      Strict(
        {
          relay: Type.String({ maxLength: 63, description: 'The relay of the node itself.' }),
          transport: Type.Enum(RELAY_TRANSPORTS, { description: 'How the node reaches it.' }),
        },
        { description: 'How its packets leave the node on their way to `relay`. Absent: directly.' },
      ),
    ),
    why: Type.Optional(
      Type.String({
        maxLength: MAX_WHY_LENGTH,
        description: 'Why it goes this way, in words. Absent: there is nothing to say.',
      }),
    ),
    tried: Type.Optional(
      Type.Array(TriedEndpoint, {
        maxItems: 16,
        description: 'The endpoints of the peer that were last tried, best first.',
      }),
    ),
    mtu: Type.Optional(
      Type.Integer({
        minimum: 576,
        maximum: 65_535,
        description:
          'The largest packet that gets to the peer, in bytes, as it was measured inside the tunnel. Absent: not known.',
      }),
    ),
    endpoint: Type.Optional(maybe(Type.String({ maxLength: 60 }), 'Where its packets go. Null: nowhere yet.')),
    handshake_at: Type.Optional(maybe(Timestamp('The last handshake, by the node’s clock. Null: there was none.'))),
    rtt_ms: Type.Optional(maybe(Type.Number({ minimum: 0, maximum: 600_000 }), 'Round trip. Null: not known.')),
    rx_bytes: bytes('Received from the peer.'),
    tx_bytes: bytes('Sent to the peer.'),
  },
  { description: 'One side’s view of a link.' },
);
export type LinkReport = Static<typeof LinkReport>;

/**
 * A rule of another program that may concern packets of the mesh. A match that is absent does not limit it, as far as the agent
 * understands the rule: so a packet that a match excludes is not concerned, and any other may be.
 */
export const ForeignRule = Strict(
  {
    kind: Type.Enum(['filter', 'route', 'address'], {
      description:
        '`filter`: of a packet filter, which may drop or redirect. `route`: a routing rule, which may lead elsewhere. `address`: one that the host has itself, outside the mesh, so that packets to it go no further.',
    }),
    direction: Type.Enum(['in', 'out', 'forward'], { description: 'Which packets of the host it looks at.' }),
    text: Type.String({
      maxLength: MAX_FOREIGN_TEXT,
      description: 'The rule as the host lists it, with where it stands.',
    }),
    interface: Type.Optional(Type.String({ maxLength: 15, description: 'By which the packets come or go.' })),
    from: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: 'Networks.' })),
    to: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: 'Networks.' })),
    protocol: Type.Optional(Type.Enum(['tcp', 'udp', 'icmp'], { description: 'The protocol.' })),
    ports: Type.Optional(
      Type.Array(Type.String({ maxLength: 11 }), {
        maxItems: 20,
        description: 'Of the destination: `22` or `8000-8999`.',
      }),
    ),
  },
  { description: 'A rule of another program that may concern packets of the mesh.' },
);
export type ForeignRule = Static<typeof ForeignRule>;

/** What changes all the time. Kept in memory only; after a restart the coordinator requests it again. */
export const Observed = Strict(
  {
    relay: Type.Optional(
      maybe(Type.String({ maxLength: 63 }), 'The relay that its traffic can go through now. Null: none.'),
    ),
    relays: Type.Optional(
      Type.Array(
        Strict({
          name: Type.String({ maxLength: 63, description: 'Name of the relay.' }),
          rtt_ms: Type.Number({ minimum: 0, maximum: 600_000, description: 'Round trip to it.' }),
        }),
        { maxItems: 64, description: 'What it measured to the relays.' },
      ),
    ),
    relay_proofs: Type.Optional(
      Type.Array(RelayProof, {
        maxItems: 64,
        description: 'Whether the relays that it may use carry packets, all it has tried.',
      }),
    ),
    relay_load: Type.Optional(maybe(RelayLoad, 'Of the relay that it runs. Null: it runs none.')),
    links: Type.Optional(
      Type.Array(LinkReport, { maxItems: MAX_LINKS, description: 'Links that changed since the last heartbeat.' }),
    ),
    ingress: Type.Optional(
      Type.Array(
        Strict({
          id: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
          connections: Type.Integer({ minimum: 0, description: 'Open connections through it.' }),
          refuses: Type.Optional(
            Type.Literal(true, {
              description: 'It drains, and takes no new connections any more. Absent: it takes them.',
            }),
          ),
          deadline: Type.Optional(
            Timestamp(
              'The deadline of its drain that the gateway keeps, as it was sent. Absent: it has none, or cannot keep one.',
            ),
          ),
          cut: Type.Optional(
            Type.Integer({
              minimum: 0,
              description: 'Connections that it ended at that deadline, counted as `connections` are.',
            }),
          ),
          problem: Type.Optional(
            Type.String({
              maxLength: 500,
              description: 'Why it is not served here, or not as it should be. Absent: it is.',
            }),
          ),
          certificate: Type.Optional(
            Type.String({
              pattern: '^[0-9a-f]{64}$',
              description:
                'SHA-256 of the certificate that clients get, which the gateway found in a handshake with itself. Absent: it has looked at none, as where no given certificate is to be shown.',
            }),
          ),
          upstreams: Type.Optional(
            Type.Array(UpstreamHealth, {
              maxItems: 1000,
              description: 'What it found of the nodes that it sends requests to. Absent: it checks none.',
            }),
          ),
        }),
        {
          maxItems: 1000,
          description: 'Every ingress that has connections on this gateway, or is served by it or should be.',
        },
      ),
    ),
    waf: Type.Optional(WafObserved),
    traffic: Type.Optional(TrafficObserved),
    repairs: Type.Optional(
      Type.Array(Repair, {
        maxItems: MAX_REPAIRS,
        description:
          'Changes that the agent had not made and reverted. Each is reported once, and repeated until answered.',
      }),
    ),
    foreign: Type.Optional(
      Type.Array(ForeignRule, {
        maxItems: MAX_FOREIGN_RULES,
        description: 'Rules of other programs that may concern packets of the mesh. Empty: there are none.',
      }),
    ),
    denied: Type.Optional(
      Strict(
        {
          in: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Meant for the node itself.' }),
          forward: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Meant for a network behind it.',
          }),
        },
        { description: 'Packets from peers that the policy did not allow, since the rules were loaded.' },
      ),
    ),
    telemetry: Type.Optional(
      Strict(
        {
          uptime_s: Type.Number({ minimum: 0, description: 'Since the node started.' }),
          load: Type.Number({ minimum: 0, description: 'Processes waiting for a processor, over a minute.' }),
          memory_used_bytes: bytes('Memory in use.'),
          memory_total_bytes: bytes('Memory there is.'),
          rx_bytes: bytes('Received through the mesh.'),
          tx_bytes: bytes('Sent through the mesh.'),
        },
        { description: 'Telemetry of the node.' },
      ),
    ),
  },
  { description: 'What the node observes.' },
);
export type Observed = Static<typeof Observed>;

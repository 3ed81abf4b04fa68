import { TriedEndpoint } from '../../heartbeat/observed.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NODE_REF_PATTERN, NodeIdText, NodeName, NodeStateText } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { LINK_PATHS } from '../../path-words.ts';
import { RELAY_TRANSPORTS } from '../../relay-words.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';

const LinkEnd = Type.Object(
  { id: NodeIdText, name: NodeName, state: NodeStateText },
  { additionalProperties: false, description: 'One end.' },
);
/** The latest of them, in the record of a link. */
export const MAX_LINK_WAYS = 20;

const wayFields = {
  path: Type.Enum(LINK_PATHS, { description: 'How its packets go.' }),
  endpoint: maybe(Type.String(), 'Where they go. Null: nowhere yet, or to a relay that you may not see.'),
  relay: maybe(Type.String(), 'The relay of the other end that they go to. Null: none, or one that you may not see.'),
  via: maybe(
    Type.Object(
      {
        relay: maybe(Type.String(), 'The relay of the node itself. Null: one that you may not see.'),
        transport: Type.Enum(RELAY_TRANSPORTS, { description: 'How the node reaches it.' }),
      },
      { additionalProperties: false },
    ),
    'How they leave the node on their way to a relay. Null: directly.',
  ),
  why: maybe(Type.String(), 'Why they go this way, in the words of the node. Null: it says nothing of it.'),
};
const viewFields = {
  ...wayFields,
  tried: Type.Array(TriedEndpoint, { description: 'Endpoints of the other end that it last tried, best first.' }),
  handshake_age_s: maybe(Type.Number(), 'Since the last handshake. Null: there was none.'),
  rtt_ms: maybe(Type.Number(), 'Round trip. Null: not known.'),
  mtu: maybe(Type.Integer(), 'The largest packet that gets to the other end, in bytes. Null: not measured.'),
  rx_bytes: Type.Integer({ description: 'Received from the other end.' }),
  tx_bytes: Type.Integer({ description: 'Sent to the other end.' }),
  observed_at: Timestamp('When the node reported it.'),
};
const LinkView = Type.Object(viewFields, { additionalProperties: false });
export type LinkView = Static<typeof LinkView>;

const LinkWay = Type.Object(
  { since: Timestamp('When this coordinator first heard of it, by its own clock.'), ...wayFields },
  { additionalProperties: false },
);
export type LinkWay = Static<typeof LinkWay>;

const LinkViewOverTime = Type.Object(
  {
    ...viewFields,
    history: Type.Array(LinkWay, {
      maxItems: MAX_LINK_WAYS,
      description:
        'How its packets went, newest first; the first is how they go now. Another path, relay, transport or direct endpoint is a new entry. It begins when this coordinator first heard of the link, and anew when the coordinator restarts or the node moves to another one. In a large mesh the oldest entries are dropped.',
    }),
  },
  { additionalProperties: false },
);
export type LinkViewOverTime = Static<typeof LinkViewOverTime>;

const LINK_STATES = ['up', 'half', 'idle', 'down', 'unknown'] as const;
export const LINK_STATE_TEXT = Type.Enum(LINK_STATES, {
  description:
    '`up`: both sides saw a handshake lately. `half`: one did. `idle`: it is not in use; the next packet brings it up. `down`: neither. `unknown`: an end is stale or has not reported.',
});
export const LINK_PATH_TEXT = Type.Enum([...LINK_PATHS, 'mixed', 'unknown'], {
  description: '`mixed`: the two sides use different ones. `unknown`: neither has reported.',
});
const linkFields = {
  a: LinkEnd,
  b: LinkEnd,
  state: LINK_STATE_TEXT,
  path: LINK_PATH_TEXT,
  why: maybe(Type.String(), 'Why its packets go through relays, in a sentence. Null: they do not.'),
};
const viewsAs = <V extends typeof LinkView | typeof LinkViewOverTime>(View: V) => ({
  a_view: maybe(View, 'What `a` sees. Null: not reported.'),
  b_view: maybe(View, 'What `b` sees. Null: not reported.'),
});
export const Link = named(
  'Link',
  Type.Object({ ...linkFields, ...viewsAs(LinkView) }, { additionalProperties: false }),
);
export type Link = Static<typeof Link>;
export const LinkOverTime = named(
  'LinkOverTime',
  Type.Object({ ...linkFields, ...viewsAs(LinkViewOverTime) }, { additionalProperties: false }),
);
export type LinkOverTime = Static<typeof LinkOverTime>;

const exampleView: LinkView = {
  path: 'direct',
  endpoint: '192.0.2.8:51820',
  relay: null,
  via: null,
  why: null,
  tried: [{ endpoint: '192.0.2.8:51820', outcome: 'answered', rtt_ms: 8.4 }],
  handshake_age_s: 41,
  rtt_ms: 8.4,
  mtu: 1420,
  rx_bytes: 1024,
  tx_bytes: 2048,
  observed_at: '2026-11-15T09:30:00Z',
};
const exampleLink: Link = {
  a: { id: exampleNode.id, name: 'git-1', state: 'active' },
  b: { id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4p', name: 'laptop-3', state: 'active' },
  state: 'up',
  path: 'direct',
  why: null,
  a_view: exampleView,
  b_view: { ...exampleView, endpoint: '192.0.2.7:51820' },
};
const exampleRelayed = {
  path: 'relay',
  endpoint: '198.51.100.4:49160',
  relay: 'fra-1',
  via: { relay: 'ams-1', transport: 'udp' },
  why: 'no endpoint has answered yet',
} as const;
const historyTo = (endpoint: string): LinkWay[] => [
  { since: '2026-11-15T09:12:04Z', path: 'direct', endpoint, relay: null, via: null, why: null },
  { since: '2026-11-15T09:12:01Z', ...exampleRelayed },
];
const exampleLinkOverTime: LinkOverTime = {
  ...exampleLink,
  a_view: { ...exampleView, history: historyTo('192.0.2.8:51820') },
  b_view: { ...exampleView, endpoint: '192.0.2.7:51820', history: historyTo('192.0.2.7:51820') },
};

export const peerOperations = defineOperations({
  'peers.list': {
    method: 'GET',
    path: '/v1/peers',
    summary: 'List the links of a node',
    description: 'What both ends report about each. The requested node is always `a`.',
    permission: 'peers:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      node: Type.String({ pattern: NODE_REF_PATTERN, description: 'Id or name of the node.' }),
      state: Type.Optional(Type.Enum(LINK_STATES, { description: 'Only links in this state.' })),
    }),
    answer: { status: 200, description: 'A page of links.', schema: Page(Link) },
    errors: ['not_found'],
    example: { query: { node: exampleNode.id }, answer: { items: [exampleLink], next_cursor: null } },
  },
  'peers.show': {
    method: 'GET',
    path: '/v1/peers/{a}/{b}',
    summary: 'Show the link between two nodes',
    permission: 'peers:read',
    reach: 'scoped',
    params: Type.Object({
      a: Type.String({ maxLength: 64, description: 'Id or name of one node.' }),
      b: Type.String({ maxLength: 64, description: 'Id or name of the other node.' }),
    }),
    answer: { status: 200, description: 'The link, from both sides.', schema: LinkOverTime },
    errors: [],
    example: { params: { a: exampleLink.a.id, b: exampleLink.b.id }, answer: exampleLinkOverTime },
  },
});

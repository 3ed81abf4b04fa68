/** Nodes and the links between them in one answer, to draw a graph of. */

import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName, NodeStateText, Tag, Tags } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { LINK_PATH_TEXT, LINK_STATE_TEXT } from './links.ts';
import { MAX_GRAPH_NODES } from './vocabulary.ts';

export const DEFAULT_GRAPH_NODES = 500;
/** A graph of more links than this is unreadable. */
export const MAX_GRAPH_LINKS = 20_000;

const GraphNode = Type.Object(
  {
    id: NodeIdText,
    name: NodeName,
    state: NodeStateText,
    tags: Tags,
    relay: maybe(Type.String(), 'Name of the relay assigned to it. Null: none is, or one that you may not see.'),
    services: Type.Array(Type.String(), { description: 'Names of the services bound to it.' }),
  },
  { additionalProperties: false },
);
const place = (which: string) => Type.Integer({ minimum: 0, description: `Place of ${which} in \`nodes\`, from 0.` });
const GraphLink = Type.Object(
  { a: place('one end'), b: place('the other end'), state: LINK_STATE_TEXT, path: LINK_PATH_TEXT },
  { additionalProperties: false },
);

export const PeerGraph = named(
  'PeerGraph',
  Type.Object(
    {
      nodes: Type.Array(GraphNode, { description: 'Oldest first.' }),
      links: Type.Array(GraphLink, {
        maxItems: MAX_GRAPH_LINKS,
        description: 'Between nodes that are shown, each once.',
      }),
      nodes_total: Type.Integer({ description: 'How many nodes match the request.' }),
      links_total: Type.Integer({
        description: 'How many links the shown nodes report; at least so many, where they are too many to count.',
      }),
      truncated: Type.Boolean({ description: 'Whether there are more nodes or links than are shown.' }),
    },
    { additionalProperties: false },
  ),
);
export type PeerGraph = Static<typeof PeerGraph>;

const { id, name, state, tags, relay, services } = exampleNode;
const exampleGraph: PeerGraph = {
  nodes: [
    { id, name, state, tags, relay, services },
    {
      id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4p',
      name: 'laptop-3',
      state: 'active',
      tags: ['role:dev'],
      relay,
      services: [],
    },
  ],
  links: [{ a: 0, b: 1, state: 'up', path: 'direct' }],
  nodes_total: 2,
  links_total: 1,
  truncated: false,
};

export const peerGraphOperations = defineOperations({
  'peers.graph': {
    method: 'GET',
    path: '/v1/peers/graph',
    summary: 'Show nodes and the links between them',
    description: 'Nodes within your scope, and the links between them that at least one of both reports.',
    permission: 'peers:read',
    reach: 'scoped',
    query: Strict({
      tag: Type.Optional(Tag),
      state: Type.Optional(NodeStateText),
      q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name, or an address.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_GRAPH_NODES,
          default: DEFAULT_GRAPH_NODES,
          description: 'How many nodes at most.',
        }),
      ),
    }),
    answer: { status: 200, description: 'The nodes and their links.', schema: PeerGraph },
    errors: [],
    example: { query: { tag: 'role:git', limit: 2 }, answer: exampleGraph },
  },
});

import { ActorRef } from '../../actor.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { AuthorityIdText, exampleAuthority } from './authority-record.ts';
import { AUTHORITY_ROLES, MAX_ROTATION_NODES, ROTATION_STATES } from './vocabulary.ts';

const NodeRef = Type.Object(
  { id: NodeIdText, name: NodeName },
  { additionalProperties: false, description: 'A node.' },
);
const Nodes = (description: string) => Type.Array(NodeRef, { maxItems: MAX_ROTATION_NODES, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const RotatedText = Type.Enum(AUTHORITY_ROLES, {
  description: '`intermediate`: a new one under the same root. `root`: a new root, and a new intermediate under it.',
});

export const DeadlineWanted = Type.Optional(
  Type.Integer({
    minimum: 60,
    maximum: 90 * 86_400,
    description: 'Seconds after which they are used in any case. Absent: nodes are waited for however long it takes.',
  }),
);

export const Rotation = named(
  'Rotation',
  Type.Object(
    {
      what: RotatedText,
      state: Type.Enum(ROTATION_STATES, {
        description:
          '`publishing`: nodes are sent the new authorities, and nothing is signed with them until every fresh node has proven that it trusts them. `retiring`: the new ones sign, and certificates of the old ones are renewed.',
      }),
      from: Type.Array(AuthorityIdText, { description: 'The authorities that are replaced.' }),
      to: Type.Array(AuthorityIdText, { description: 'Those that replace them.' }),
      started_at: Timestamp('When it was started.'),
      started_by: ActorRef,
      deadline: maybe(
        Timestamp('When the new authorities are used although not every node has proven that it trusts them.'),
        'Null: never.',
      ),
      not_before: maybe(
        Timestamp('Until when the new authorities are published at least, whatever nodes have proven.'),
        'Null: nothing but the proofs is waited for.',
      ),
      switched_at: maybe(Timestamp('When the new authorities came into use.'), 'Null: not yet.'),
      nodes: Type.Object(
        {
          fresh: count('Nodes whose heartbeats come, and whose agents keep certificates.'),
          proven: count('Those of them that have proven that they trust the new authorities.'),
          absent: count('Overdue nodes that have not proven it. They are not waited for.'),
          renewing: count('Certificates of the old authorities that are in use.'),
        },
        { additionalProperties: false, description: 'How far it is.' },
      ),
      waiting: Nodes(
        'Fresh nodes inside your scope that have not proven it. After the switch programs on them refuse new certificates until they have.',
      ),
      absent: Nodes(
        'Overdue nodes inside your scope that have not proven it. The same goes for them when they come back.',
      ),
    },
    { additionalProperties: false },
  ),
);
export type Rotation = Static<typeof Rotation>;

export const exampleRotation: Rotation = {
  what: 'intermediate',
  state: 'publishing',
  from: ['authority_01jcqv6p0df1b8x0v4q6k3j9zt'],
  to: [exampleAuthority.id],
  started_at: '2026-11-15T09:00:00Z',
  started_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'bootstrap' },
  deadline: null,
  not_before: null,
  switched_at: null,
  nodes: { fresh: 48, proven: 47, absent: 1, renewing: 49 },
  waiting: [{ id: exampleNode.id, name: exampleNode.name }],
  absent: [{ id: 'node_01jcqv4b2nf1b8x0v4q6k3j9zt', name: 'backup-2' }],
};

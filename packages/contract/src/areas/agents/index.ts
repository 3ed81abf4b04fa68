import { defineArea } from '../../area.ts';
import { HeartbeatReply, HeartbeatRequest } from '../../heartbeat/heartbeat.ts';
import { HEARTBEAT_BODY_LIMIT, MAX_WAIT_S } from '../../heartbeat/limits.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';

export const NodeSession = named(
  'NodeSession',
  Type.Object(
    {
      node: NodeIdText,
      bearer: Type.String({ description: 'For `Authorization: Bearer` of heartbeats. A secret.' }),
      expires: Timestamp('When it stops being good.'),
      interval_s: Type.Integer({ description: 'Seconds between heartbeats.' }),
      audience: Type.Optional(
        Type.String({
          description: 'The `aud` for the next proof: the id of the mesh. Absent: the coordinator is of version 0.1.0.',
        }),
      ),
      seen_as: maybe(
        Type.String(),
        'The address that the request came from, as the coordinator sees it. Null: not known.',
      ),
    },
    { additionalProperties: false },
  ),
);
export type NodeSession = Static<typeof NodeSession>;

/** For agents only. */
const agentOperations = defineOperations({
  'agents.session': {
    method: 'POST',
    path: '/v1/auth/node-sessions',
    summary: 'Open a node session',
    description:
      'The proof is a JWT signed with the Ed25519 identity key of the node (`alg` EdDSA), with `sub` its id, `aud` the id of the mesh as enrolment returned it, `iat`, `exp` at most two minutes later, and a `jti` that was never used before. Any other header parameter or claim, and `crit`, is refused. `aud` `mesh-node-session` is taken from a node that has never used the id of the mesh.',
    permission: null,
    reach: 'scoped',
    repeatable: false,
    unknown_members: 'ignored',
    body: Strict({ proof: Type.String({ maxLength: 2048, description: 'The JWT.' }) }),
    answer: { status: 201, description: 'A session of an hour.', schema: NodeSession },
    errors: ['proof_invalid', 'proof_used', 'clock_skewed', 'rate_limited', 'store_unavailable'],
    example: {
      body: { proof: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJub2RlXzAxIn0.c2lnbmF0dXJl' },
      answer: {
        node: exampleNode.id,
        bearer: 'meshnode_EXAMPLE',
        expires: '2026-11-15T10:30:00Z',
        interval_s: 15,
        audience: 'mesh_5f2b8c1de07a4c3b9a61d2e4f8',
        seen_as: '192.0.2.7',
      },
    },
  },
  'agents.heartbeat': {
    method: 'POST',
    path: '/v1/nodes/{id}/heartbeat',
    summary: 'Send a heartbeat and receive changes',
    description:
      'With `wait` the answer is sent when something changes for the node, or when the time is over. A heartbeat that the next one overtakes is answered at once. The report of the node is durable before the answer. Absent sections are unchanged; empty ones are empty. Members that the coordinator does not know are ignored and counted: the agent may be newer.',
    permission: null,
    caller: 'node',
    reach: 'scoped',
    repeatable: false,
    params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the node.' }) }),
    query: Strict({
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_WAIT_S,
          default: 0,
          description: 'Seconds to wait for a change at most. No longer than the interval of heartbeats in any case.',
        }),
      ),
    }),
    unknown_members: 'ignored',
    body: HeartbeatRequest,
    body_limit: HEARTBEAT_BODY_LIMIT,
    answer: { status: 200, description: 'What changed since the revision the agent holds.', schema: HeartbeatReply },
    errors: ['heartbeat_replayed', 'node_mismatch', 'already_exists'],
    example: {
      params: { id: exampleNode.id },
      query: { wait: 25 },
      body: { node: exampleNode.id, boot_id: 'b5f0c1d2e3a4', seq: 17, revision: 1183 },
      answer: { revision: 1184, next_s: 0, relay: { name: 'fra-1', host: 'fra-1.example.net', port: 3478 } },
    },
  },
});

export const agentsArea = defineArea({
  name: 'agents',
  title: 'Agents',
  description: 'What agents exchange with the coordinator.',
  bounded: true,
  operations: agentOperations,
});

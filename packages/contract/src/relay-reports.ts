/** What nodes report of relays: of the one that they run, and of those that they tried. */
import { Strict } from './operation.ts';
import { MAX_PROBLEM_LENGTH, RELAY_TRANSPORTS } from './relay-words.ts';
import { type Static, Type } from './type.ts';

const count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** What a relay reports of itself. */
export const RelayLoad = Type.Object(
  {
    allocations: count('Allocations that it holds now: places at which it receives for a node.'),
    sessions: count('Allocations that it made.'),
    refused: count('Requests with wrong or expired credentials.'),
    denied: count('Requests to send to an address that is no relay.'),
    over_quota: count('Allocations that it did not make because the node, or the relay, had as many as it may have.'),
    rx_bytes: count('Bytes that it received from nodes and from relays.'),
    tx_bytes: count('Bytes that it sent to nodes and to relays.'),
    rx_packets: count('Packets that it received.'),
    tx_packets: count('Packets that it sent.'),
  },
  {
    additionalProperties: false,
    description:
      'What it carries: allocations now, and all else since its agent last started. The traffic of an allocation is counted every thousand packets or so, and when it ends.',
  },
);
export type RelayLoad = Static<typeof RelayLoad>;

/** What a node found when it sent a packet to itself through a relay. */
export const RelayProof = Strict({
  name: Type.String({ maxLength: 63, description: 'Name of the relay.' }),
  carries: Type.Boolean({ description: 'Whether a packet that the node sent to itself through it came back.' }),
  via: Type.Optional(Type.Enum(RELAY_TRANSPORTS, { description: 'How the relay was reached. Absent: it was not.' })),
  problem: Type.Optional(Type.String({ maxLength: MAX_PROBLEM_LENGTH, description: 'Why it does not carry.' })),
});
export type RelayProof = Static<typeof RelayProof>;

import { Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';
import { MAX_PROBLEM_LENGTH, RELAY_TRANSPORTS } from './vocabulary.ts';

/** What a node found when it sent a packet to itself through a relay. */
export const RelayProof = Strict({
  name: Type.String({ maxLength: 63, description: 'Name of the relay.' }),
  carries: Type.Boolean({ description: 'Whether a packet that the node sent to itself through it came back.' }),
  via: Type.Optional(Type.Enum(RELAY_TRANSPORTS, { description: 'How the relay was reached. Absent: it was not.' })),
  problem: Type.Optional(Type.String({ maxLength: MAX_PROBLEM_LENGTH, description: 'Why it does not carry.' })),
});
export type RelayProof = Static<typeof RelayProof>;

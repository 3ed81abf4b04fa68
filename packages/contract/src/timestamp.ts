import { Type } from './type.ts';

/** ISO 8601 in UTC. Answers are to the second and end in `Z`; requests may use any offset. */
export function Timestamp(meaning: string) {
  return Type.String({ format: 'date-time', maxLength: 40, description: meaning });
}

import { Type } from './type.ts';

/** ISO 8601 in UTC. Answers are to the second and end in `Z`; requests may use any offset. */
export function Timestamp(meaning: string) {
  return Type.String({ format: 'date-time', maxLength: 40, description: meaning });
}

/** The one spelling of a moment in records: `2027-01-31T00:00:00Z`. */
export function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}Z`;
}

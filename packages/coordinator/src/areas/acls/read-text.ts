import { type FieldError, MeshError } from '@meshwork/contract';
import { type PolicyDocument, type PolicyReading, readPolicy } from '@meshwork/policy';

/** What the text means. Throws with everything that is wrong with it. */
export function readText(text: string): PolicyDocument {
  const reading = readPolicy(text);
  if (reading.ok) return reading.document;
  const errors = problemsOf(reading);
  const [first] = errors;
  const rest = errors.length + reading.more - 1;
  const where = first?.line === undefined ? '' : `Line ${first.line}, column ${first.column}: `;
  const detail = `${where}${first?.detail ?? 'It cannot be read.'}${rest > 0 ? ` And ${rest} more.` : ''}`;
  throw new MeshError('policy_invalid', detail, { errors });
}

export function problemsOf(reading: Extract<PolicyReading, { ok: false }>): FieldError[] {
  return reading.problems.map(({ pointer, detail, line, column }) => ({ pointer, detail, line, column }));
}

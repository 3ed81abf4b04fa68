import { createHash } from 'node:crypto';
import { DEFAULT_POLICY_TEXT, type PolicyDocument as Document, readPolicy } from '@meshwork/policy';
import type { PolicyDocument } from './documents.ts';
import type { View } from './model.ts';

/** The id of the one policy document. */
export const POLICY_ID = 'mesh';

export interface PolicyInEffect {
  /** What is stored. Undefined: nobody has written a policy yet, and that of a new mesh holds. */
  readonly stored: PolicyDocument | undefined;
  /** 0: nobody has written one yet. */
  readonly revision: number;
  readonly text: string;
  readonly document: Document;
  readonly lapsed: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
/** Reading a text costs far more than looking at it once more. */
let last: { readonly text: string; readonly document: Document } | undefined;

export function policyInEffect(view: View): PolicyInEffect {
  const stored = view.get('policy', POLICY_ID);
  const text = stored?.body.text ?? DEFAULT_POLICY_TEXT;
  if (last?.text !== text) last = { text, document: readStored(text) };
  return {
    stored: stored?.body,
    revision: stored?.revision ?? 0,
    text,
    document: last.document,
    lapsed: stored === undefined ? NONE : new Set(stored.body.lapsed),
  };
}

/** What was stored was read before. */
function readStored(text: string): Document {
  const reading = readPolicy(text);
  if (reading.ok) return reading.document;
  const [problem] = reading.problems;
  throw new Error(`The stored policy cannot be read: ${problem?.detail} (line ${problem?.line})`);
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHash } from 'node:crypto';
import { DEFAULT_POLICY_TEXT, type PolicyDocument as Document, readPolicy } from '@meshwork/policy';
import type { PolicyDocument } from '../kinds/acls.ts';
import type { View } from './model.ts';

/** The id of the one policy document. */
export const POLICY_ID = 'mesh';

interface PolicyInEffect {
  /** What is stored. Undefined: no policy was written yet, and the default of a new mesh holds. */
  readonly stored: PolicyDocument | undefined;
  /** 0: no policy was written yet. */
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
  const document = readSound(text);
  return {
    stored: stored?.body,
    revision: stored?.revision ?? 0,
    text,
    document,
    lapsed: stored === undefined ? NONE : new Set(stored.body.lapsed),
  };
}

/** For a text that is known to be sound, as one that is stored or was tried out. */
export function readSound(text: string): Document {
  if (last?.text === text) return last.document;
  const reading = readPolicy(text);
  if (reading.ok) {
    last = { text, document: reading.document };
    return reading.document;
  }
  const [problem] = reading.problems;
  throw new Error(`A policy that was read before cannot be read: ${problem?.detail} (line ${problem?.line})`);
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

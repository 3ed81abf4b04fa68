import { Ownership, type PolicyDocument } from '@meshwork/policy';
import type { View } from './model.ts';
import { policyInEffect } from './policy-in-effect.ts';

const known = new WeakMap<PolicyDocument, Ownership>();

/** Who owns what by the policy in effect. Inside a transaction that is the policy of that very moment. */
export function ownershipInEffect(view: View): Ownership {
  const { document } = policyInEffect(view);
  let ownership = known.get(document);
  if (ownership === undefined) {
    ownership = new Ownership(document);
    known.set(document, ownership);
  }
  return ownership;
}

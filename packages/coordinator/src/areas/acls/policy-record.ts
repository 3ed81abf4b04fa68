import type { Policy, PolicyVersionWithText, PolicyWarning } from '@meshwork/contract';
import type { PolicyDocument as Document } from '@meshwork/policy';
import type { PolicyDocument } from '../../kinds/acls.ts';
import type { View } from '../../mesh/model.ts';
import { policyInEffect, sha256Of } from '../../mesh/policy-in-effect.ts';

export function policyRecord(view: View): Policy {
  const { stored, revision, text, document, lapsed } = policyInEffect(view);
  return { ...versionRecord(stored, text, document), lapsed: [...lapsed].sort((a, b) => a - b), revision };
}

/** Warnings as an answer has them: not at all where there are none. */
export function said(warnings: readonly PolicyWarning[]): { warnings?: PolicyWarning[] } {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** `stored` undefined: the default of a new mesh, which has no author. */
export function versionRecord(
  stored: Omit<PolicyDocument, 'lapsed' | 'text'> | undefined,
  text: string,
  document: Document,
): PolicyVersionWithText {
  return {
    version: stored?.version ?? 0,
    created_at: stored?.created_at ?? null,
    created_by: stored?.created_by ?? null,
    note: stored?.note ?? null,
    restored_from: stored?.restored_from ?? null,
    sha256: stored?.sha256 ?? sha256Of(text),
    groups: Object.keys(document.groups).length,
    grants: document.grants.length,
    text,
    document: document as PolicyVersionWithText['document'], // the same shape, and frozen
  };
}

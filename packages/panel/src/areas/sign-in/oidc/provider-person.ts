import { DisplayName, USER_NAME_PATTERN } from '@meshwork/contract';
import { Compile } from 'typebox/compile';

/** A person as the provider describes them. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** What to call them here. Null: the provider gives nothing that fits. */
  readonly name: string | null;
  readonly display_name: string | null;
  /** What they call themselves there. */
  readonly label: string;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

const NAME = new RegExp(USER_NAME_PATTERN);
const displayName = Compile(DisplayName);
const MAX_LABEL = 100;

/** Issuer and subject are who they are, for good; everything else is only what they are called today. */
export function providerPersonOf(
  claims: Claims & { readonly iss: string; readonly sub: string },
  groups_claim: string,
): ProviderPerson {
  const called = [claims.preferred_username, claims.email].filter(isText);
  const display_name = [claims.name].filter(isText).find((text) => displayName.Check(text));
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: called.map((text) => text.toLowerCase()).find((text) => NAME.test(text)) ?? null,
    display_name: display_name ?? null,
    label: (called[0] ?? claims.sub).slice(0, MAX_LABEL),
    groups: groupsOf(claims[groups_claim]),
  };
}

/** A list, or a single one as some providers send it. */
function groupsOf(claim: unknown): readonly string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

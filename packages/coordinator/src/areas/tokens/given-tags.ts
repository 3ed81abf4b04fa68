import { BOUNDARY_TAGS, invalid, type Permission } from '@meshwork/contract';
import { ensureMaySet, rightTo, setterOf } from '../../access/owners.ts';
import { grantedBy } from '../../access/rights.ts';
import type { GivenTag } from '../../kinds/tokens.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** What sets tags. */
const SETTING: readonly Permission[] = ['nodes:enroll', 'nodes:write'];

/** The tags that a new token may set, each by the right of its maker, who has to be allowed to set it. */
export function givenTags(
  tx: Transaction,
  actor: TokenActor,
  { role, tags }: { readonly role: string; readonly tags: readonly string[] },
): readonly GivenTag[] {
  const permissions = grantedBy(tx, role);
  if (tags.length > 0 && !SETTING.some((permission) => permissions.has(permission))) {
    throw invalid('/tags', `are tags for nodes, and the role "${role}" can neither enrol nor re-tag any`);
  }
  for (const [index, tag] of tags.entries()) {
    if (Object.values(BOUNDARY_TAGS).some((prefix) => tag.startsWith(prefix))) {
      throw invalid(
        `/tags/${index}`,
        `"${tag}" follows from the scope of the token, and cannot be given apart from it`,
      );
    }
  }
  const setter = setterOf(tx, actor);
  ensureMaySet(tx, setter, tags);
  return tags.map((tag) => ({ tag, by: rightTo(tx, setter, tag) ?? actor.scope }));
}

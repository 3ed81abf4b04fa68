/** Exclusions of a policy: drafts until they are put in force. */
import { isDeepStrictEqual } from 'node:util';
import {
  MAX_WAF_EXCLUSIONS,
  MeshError,
  newId,
  utc,
  type WafExclusion,
  type WafExclusionRules,
} from '@meshwork/contract';
import type { WafDocument } from '../../kinds/waf.ts';
import { refOf } from '../../mesh/actor.ts';
import type { Call, Reply } from '../handler.ts';
import { changePolicy } from './change-policy.ts';
import type { RecordSources } from './policy-record.ts';
import { faultsOfExclusion } from './sound-exclusion.ts';
import { refuse } from './sound-policy.ts';

export async function addExclusion(call: Call<'waf.exclude'>, sources: RecordSources): Promise<Reply<'waf.exclude'>> {
  const id = newId('wafexclusion', call.now_ms);
  const { draft = true, note = null, event = null } = call.body;
  const said = rulesOf(call.body);
  refuse(faultsOfExclusion('', said));
  const changed = await changePolicy(call, sources, (tx, { body }, actor) => {
    const twin = body.exclusions.find((one) => isDeepStrictEqual(rulesOf(one), said));
    if (twin !== undefined) {
      throw new MeshError(
        'already_exists',
        `The exclusion ${twin.id} says the same${twin.draft ? ', and is a draft' : ''}.`,
      );
    }
    if (body.exclusions.length >= MAX_WAF_EXCLUSIONS) {
      throw new MeshError(
        'too_many',
        `The policy has ${body.exclusions.length} exclusions, and ${MAX_WAF_EXCLUSIONS} may be there.`,
      );
    }
    const made = { created_at: utc(tx.now_ms), created_by: refOf(actor) };
    return { ...body, exclusions: [...body.exclusions, { id, ...said, draft, note, event, ...made }] };
  });
  // An exclusion is shown with its policy alone.
  return { ...changed, location: `/v1/waf/policies/${changed.body.id}` };
}

export function enforceExclusion(call: Call<'waf.enforce'>, sources: RecordSources): Promise<Reply<'waf.enforce'>> {
  return changePolicy(call, sources, (_, { body }) => {
    const found = exclusionOf(body, call.params.exclusion);
    return {
      ...body,
      exclusions: body.exclusions.map((one) => (one === found ? { ...one, draft: false } : one)),
    };
  });
}

export async function removeExclusion(
  call: Call<'waf.include'>,
  sources: RecordSources,
): Promise<Reply<'waf.include'>> {
  await changePolicy(call, sources, (_, { body }) => {
    const found = exclusionOf(body, call.params.exclusion);
    return { ...body, exclusions: body.exclusions.filter((one) => one !== found) };
  });
  return { body: undefined };
}

export function rulesOf({ rule, tag, host, path, below, parameter }: WafExclusionRules): WafExclusionRules {
  return { rule, tag, host, path, below, parameter };
}

function exclusionOf({ exclusions, name }: WafDocument, id: string): WafExclusion {
  const found = exclusions.find((one) => one.id === id);
  if (found === undefined) throw new MeshError('not_found', `The WAF policy "${name}" has no exclusion "${id}".`);
  return found;
}

import { pageById } from '@meshwork/service';
import type { Model, Stored } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';
import { mayRead } from './find-policy.ts';
import { policyRecord, type RecordSources } from './policy-record.ts';

export function listPolicies(model: Model, call: Call<'waf.list'>, sources: RecordSources): Reply<'waf.list'> {
  const viewer = call.actor.scope;
  const body = pageById('waf.list', call.query, {
    walk: (after) => model.after('waf', after),
    keep: (policy: Stored<'waf'>) => mayRead(viewer, policy.body.scope),
    show: (policy) => policyRecord(model, policy, { ...sources, viewer }),
  });
  return { body };
}

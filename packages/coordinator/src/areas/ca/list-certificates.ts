import { pageById } from '@meshwork/service';
import { certificateState } from '../../issuing/certificate-state.ts';
import type { Model, Stored } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';
import type { Call, Reply } from '../handler.ts';
import { certificateRecord, isCurrent, isVisible } from './certificate-record.ts';

export function listCertificates(model: Model, call: Call<'ca.certificates'>): Reply<'ca.certificates'> {
  const { query, now_ms, actor } = call;
  const node = query.node === undefined ? undefined : (nodeNamed(model, query.node)?.id ?? query.node);
  const part = query.q?.toLowerCase();
  const latest = query.expires_within_s === undefined ? undefined : now_ms + query.expires_within_s * 1000;
  const stateOf = ({ body }: Stored<'certificate'>) => certificateState(model, body, now_ms);
  const body = pageById('ca.certificates', query, {
    walk: (after) => model.after('certificate', after),
    keep: (one: Stored<'certificate'>) =>
      isVisible(model, actor.scope, one.body) &&
      (query.profile === undefined || one.body.profile === query.profile) &&
      (node === undefined || one.body.nodes.some((id) => id === node)) &&
      (query.state === undefined || stateOf(one) === query.state) &&
      (latest === undefined || (Date.parse(one.body.not_after) <= latest && stateOf(one) === 'valid')) &&
      (query.current !== true || (stateOf(one) === 'valid' && isCurrent(model, one))) &&
      (part === undefined || isNamed(one, part)),
    show: (one) => certificateRecord(model, one, now_ms),
  });
  return { body };
}

function isNamed({ body: { serial, names } }: Stored<'certificate'>, part: string): boolean {
  return serial === part || [...names.dns, ...names.addresses, ...names.uris].some((name) => name.includes(part));
}

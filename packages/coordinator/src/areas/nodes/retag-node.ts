import { ensureMayClaim } from '../../access/claim-networks.ts';
import { ensureMayRetag, setterOf } from '../../access/owners.ts';
import { tellOfTags } from '../../mesh/tell-of-tags.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';
import { stampedTags } from './boundary-tags.ts';

/** A caller cannot move a node to where it could not have enrolled it. */
export function retagNode(call: Call<'nodes.retag'>): Promise<Reply<'nodes.retag'>> {
  return askNode(call, ({ tx, node, actor }) => {
    const tags = stampedTags(call.body.tags, actor.scope);
    ensureMayRetag(tx, setterOf(tx, actor), node.body, tags);
    const after = { ...node.body, tags };
    ensureMayClaim(tx, { actor, before: node.body, after });
    tx.put('node', node.id, after);
    tellOfTags(tx, node, tags);
    return { kind: 'retag', detail: { tags }, before: { tags: node.body.tags } };
  });
}

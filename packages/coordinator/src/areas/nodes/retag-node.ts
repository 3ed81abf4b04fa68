import { boundaryOf } from '@meshwork/contract';
import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';
import { stampedTags } from './boundary-tags.ts';

/** Nobody moves a node to where they could not have enrolled it. */
export function retagNode(call: Call<'nodes.retag'>): Promise<Reply<'nodes.retag'>> {
  return askNode(call, ({ tx, node, actor }) => {
    const tags = stampedTags(call.body.tags, actor.scope);
    tx.put('node', node.id, { ...node.body, tags });
    tx.tell({
      type: 'node.retagged',
      subject: { kind: 'node', id: node.id },
      scope: boundaryOf(tags),
      data: { name: node.body.name, tags },
    });
    return { kind: 'retag', detail: { tags }, before: { tags: node.body.tags } };
  });
}

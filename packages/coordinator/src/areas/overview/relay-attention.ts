import type { Attention } from '@meshwork/contract';
import { isMember, stateSince } from '../../mesh/node-state.ts';
import type { Facts } from './facts.ts';

/** Relays on a node that is silent, cut off or gone. One that somebody drains is meant to be without work. */
export function* relaysDown({ model }: Facts): Generator<Attention> {
  for (const { id: name, body } of model.all('relay')) {
    const node = model.get('node', body.node);
    const isFresh = node !== undefined && isMember(node.body) && model.get('liveness', node.id) === undefined;
    if (isFresh || body.draining) continue;
    yield {
      kind: 'relay_down',
      severity: 'critical',
      subject: { kind: 'relay', id: name, name },
      title: `The relay ${name} is down`,
      detail: `Its node ${node?.body.name ?? body.node} is not heard of or not let in; nodes that need a relay use others.`,
      since: node === undefined ? null : stateSince(model, node),
      fix: 'Bring its node back, move the relay to another node, or delete it.',
    };
  }
}

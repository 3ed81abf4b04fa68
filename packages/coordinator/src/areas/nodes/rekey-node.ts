import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';

/** Nothing changes yet: the key is made on the node, and comes with its heartbeat (`areas/agents/take-in.ts`). */
export function rekeyNode(call: Call<'nodes.rekey'>): Promise<Reply<'nodes.rekey'>> {
  return askNode(call, ({ node }) => ({ kind: 'rekey', before: { wireguard_key: node.body.wireguard_key } }));
}

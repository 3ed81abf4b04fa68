import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';

/** Nothing changes: the answer comes with a heartbeat. Also asked of a node that is cut off, which is when one needs it. */
export function diagnoseNode(call: Call<'nodes.diagnose'>): Promise<Reply<'nodes.diagnose'>> {
  return askNode(call, () => ({ kind: 'diagnose' }));
}

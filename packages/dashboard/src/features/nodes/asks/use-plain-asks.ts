/** What is asked of a node with no more than a yes. */
import type { Node } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useConfirm } from '../../../ui/confirm.tsx';
import { ASKED_FOR } from './asked-for.ts';
import { askOf, type NodeAskKind } from './node-asks.ts';

type PlainAsk = Extract<NodeAskKind, 'approve' | 'release' | 'rekey' | 'undrain' | 'diagnose' | 'remove'>;

interface PlainAsks {
  readonly ask: (kind: PlainAsk) => void;
  readonly isRunning: boolean;
}

export function usePlainAsks(node: Node): PlainAsks {
  const confirm = useConfirm();
  const actions = {
    approve: useAction('nodes.approve', ASKED_FOR),
    release: useAction('nodes.release', ASKED_FOR),
    rekey: useAction('nodes.rekey', ASKED_FOR),
    undrain: useAction('nodes.undrain', ASKED_FOR),
    diagnose: useAction('nodes.diagnose', ASKED_FOR),
  };
  const remove = useAction('nodes.remove', ASKED_FOR);
  const params = { id: node.id };
  const run = async (kind: PlainAsk) => {
    const { label, consequence, danger = false } = askOf(kind);
    // Diagnostics change nothing, so no confirmation is needed.
    const isSure =
      kind === 'diagnose' ||
      (await confirm({
        title: `${label}: ${node.name}`,
        consequence: consequence(node),
        action: label,
        danger,
        ...(kind === 'remove' ? { type_to_confirm: node.name } : {}),
      }));
    if (!isSure) return;
    if (kind === 'remove') await remove.run({ params });
    else await actions[kind].run({ params, body: {} });
  };
  return {
    ask: (kind) => void run(kind).catch(() => undefined /* shown by the action */),
    isRunning: remove.isRunning || Object.values(actions).some(({ isRunning }) => isRunning),
  };
}

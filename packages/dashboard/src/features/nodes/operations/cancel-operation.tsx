import { Button } from '@mantine/core';
import type { NodeOperation } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useMay } from '../../../session/session.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { cancelConsequence, KIND_WORDS } from './operation-words.ts';

/** A button for as long as the operation can be cancelled. */
export function CancelOperation({ operation }: { readonly operation: NodeOperation }) {
  const cancel = useAction('operations.cancel', { done: 'Cancelled', touches: ['nodes', 'overview', 'audit'] });
  const confirm = useConfirm();
  const consequence = cancelConsequence(operation);
  const mayCancel = useMay()('operations:cancel');
  if (consequence === null || !mayCancel) return null;
  const { id, kind, node_name } = operation;
  const ask = async () => {
    const title = `Cancel: ${KIND_WORDS[kind].toLowerCase()} of ${node_name}`;
    if (await confirm({ title, consequence, action: 'Cancel operation' })) await cancel.run({ params: { id } });
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={cancel.isRunning}
      onClick={() => void ask().catch(() => undefined /* shown by the action */)}
    >
      Cancel
    </Button>
  );
}

import { Button } from '@mantine/core';
import type { AuthorityRole } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useConfirm } from '../../../ui/confirm.tsx';
import { useMayRotate } from './may-rotate.ts';

/** Until the switch: afterwards certificates of the new authorities are in use. */
export function CancelRotation({ what }: { readonly what: AuthorityRole }) {
  const cancel = useAction('ca.cancel_rotation', { done: 'Rotation cancelled', touches: ['overview', 'audit'] });
  const confirm = useConfirm();
  if (!useMayRotate()) return null;
  const ask = async () => {
    const sure = await confirm({
      title: `Cancel rotation of the ${what}`,
      consequence: `Nodes drop the new ${what}. No certificate of a node or service was signed with it, so none changes.`,
      action: 'Cancel rotation',
      danger: true,
    });
    if (sure) await cancel.run({});
  };
  return (
    <Button
      variant="default"
      size="xs"
      loading={cancel.isRunning}
      onClick={() => void ask().catch(() => undefined /* shown by the action */)}
    >
      Cancel rotation
    </Button>
  );
}

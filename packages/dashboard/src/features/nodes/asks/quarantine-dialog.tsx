import { TextInput } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { AskDialog } from './ask-dialog.tsx';
import { ASKED_FOR } from './asked-for.ts';
import { askOf } from './node-asks.ts';

interface QuarantineDialogProps {
  readonly node: Node;
  readonly onClose: () => void;
}

export function QuarantineDialog({ node, onClose }: QuarantineDialogProps) {
  const [reason, setReason] = useState('');
  const quarantine = useAction('nodes.quarantine', { ...ASKED_FOR, quiet: true });
  const said = reason.trim();
  return (
    <AskDialog
      title={`Quarantine ${node.name}`}
      consequence={askOf('quarantine').consequence(node)}
      action="Quarantine"
      danger
      isRunning={quarantine.isRunning}
      error={quarantine.error}
      onSubmit={() => quarantine.run({ params: { id: node.id }, body: { reason: said === '' ? undefined : said } })}
      onClose={onClose}
    >
      <TextInput
        label="Reason"
        description="Shown in the audit trail."
        maxLength={200}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </AskDialog>
  );
}

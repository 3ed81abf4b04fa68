import { NumberInput } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { AskDialog } from './ask-dialog.tsx';
import { ASKED_FOR } from './asked-for.ts';
import { askOf } from './node-asks.ts';

interface DrainDialogProps {
  readonly node: Node;
  readonly onClose: () => void;
}

/** The contract's longest deadline, in minutes. */
const LONGEST_MIN = 1440;

export function DrainDialog({ node, onClose }: DrainDialogProps) {
  const [minutes, setMinutes] = useState<number | string>('');
  const drain = useAction('nodes.drain', { ...ASKED_FOR, quiet: true });
  const deadline_s = typeof minutes === 'number' ? Math.round(minutes * 60) : undefined;
  return (
    <AskDialog
      title={`Drain ${node.name}`}
      consequence={askOf('drain').consequence(node)}
      action="Drain"
      isRunning={drain.isRunning}
      error={drain.error}
      onSubmit={() => drain.run({ params: { id: node.id }, body: { deadline_s } })}
      onClose={onClose}
    >
      <NumberInput
        label="End connections after"
        description="Minutes until connections through its ingresses that are still open are ended. Leave empty to let them end by themselves."
        suffix=" min"
        min={1}
        max={LONGEST_MIN}
        allowNegative={false}
        allowDecimal={false}
        value={minutes}
        onChange={setMinutes}
      />
    </AskDialog>
  );
}

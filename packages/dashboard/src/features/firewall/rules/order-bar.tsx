import { Button, Group, Paper, Text } from '@mantine/core';
import type { FirewallPreview } from '@meshwork/contract';
import { IconDeviceFloppy } from '@tabler/icons-react';
import classes from './order-bar.module.css';

interface OrderBarProps {
  /** Of the order as arranged. Undefined: not known yet. */
  readonly preview: FirewallPreview | undefined;
  readonly isRunning: boolean;
  readonly onPutBack: () => void;
  readonly onSave: () => void;
}

/** Stays in sight while an order is arranged and not saved. */
export function OrderBar({ preview, isRunning, onPutBack, onSave }: OrderBarProps) {
  return (
    <Paper withBorder p="sm" shadow="md" className={classes.bar} role="status">
      {/* The buttons stand first: notifications appear in the other corner and must not cover them. */}
      <Group gap="sm">
        <Button
          size="xs"
          loading={isRunning}
          disabled={preview === undefined}
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          onClick={onSave}
        >
          Save order
        </Button>
        <Button size="xs" variant="default" disabled={isRunning} onClick={onPutBack}>
          Discard
        </Button>
        <Text size="sm" fw={500} className={classes.meaning}>
          {meaning(preview)}
        </Text>
      </Group>
    </Paper>
  );
}

function meaning(preview: FirewallPreview | undefined): string {
  if (preview === undefined) return 'Unsaved order.';
  const { nodes_touched, findings } = preview;
  const nodes = nodes_touched === 0 ? 'No node' : `${nodes_touched} ${nodes_touched === 1 ? 'node' : 'nodes'}`;
  const cuts = findings.some(({ kind }) => kind === 'cuts_off') ? ' Agents would lose the coordinator.' : '';
  return `Unsaved order. ${nodes} would change.${cuts}`;
}

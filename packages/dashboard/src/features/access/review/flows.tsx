import { Text } from '@mantine/core';
import type { PolicyFlow } from '@meshwork/contract';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from './consequences.module.css';

interface FlowsProps {
  readonly label: string;
  readonly flows: readonly PolicyFlow[];
}

const mono = (text: string) => <span className={classes.mono}>{text}</span>;

/** What opens or closes, between whom. */
export function Flows({ label, flows }: FlowsProps) {
  return (
    <VirtualTable
      label={label}
      rows={flows}
      rowId={({ from, to, allow }) => `${from} ${to} ${allow}`}
      height="16rem"
      empty={
        <Text size="sm" c="dimmed" p="sm">
          Nothing.
        </Text>
      }
      columns={[
        { id: 'from', header: 'From', width: 'minmax(0, 3fr)', render: ({ from }) => mono(from) },
        { id: 'to', header: 'To', width: 'minmax(0, 3fr)', render: ({ to }) => mono(to) },
        { id: 'allow', header: 'What', width: 'minmax(5.5rem, 2fr)', render: ({ allow }) => mono(allow) },
        {
          id: 'pairs',
          header: 'Pairs',
          width: '3.75rem',
          render: ({ pairs }) => <span title="Pairs of nodes affected now">{pairs}</span>,
        },
      ]}
    />
  );
}

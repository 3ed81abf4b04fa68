import { Text } from '@mantine/core';
import type { Attention } from '@meshwork/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import { Section } from '../../ui/section.tsx';
import classes from './attention.module.css';
import { AttentionItem } from './attention-item.tsx';

interface AttentionListProps {
  readonly attention: readonly Attention[];
  readonly total: number;
}

/** What needs attention, in the order of the coordinator: most urgent first. */
export function AttentionList({ attention, total }: AttentionListProps) {
  const left_out = total - attention.length;
  return (
    <Section title="Needs attention" description={total === 0 ? undefined : 'Most urgent first.'}>
      {attention.length === 0 ? (
        <div className={classes.calm}>
          <IconCircleCheck size={20} aria-hidden />
          <Text size="sm">All clear. All nodes are online and in sync.</Text>
        </div>
      ) : (
        <ul className={classes.list}>
          {attention.map((one) => (
            <AttentionItem key={`${one.kind} ${one.subject.id} ${one.title}`} attention={one} />
          ))}
        </ul>
      )}
      {left_out > 0 && (
        <Text size="sm" c="dimmed">
          And {left_out.toLocaleString()} more, less urgent.
        </Text>
      )}
    </Section>
  );
}

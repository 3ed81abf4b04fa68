import { IconCircleCheck, IconHandStop } from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

interface OutcomeProps {
  readonly outcome: 'done' | 'refused';
  readonly code: string | null;
  /** How many refusals of one kind the entry stands for. */
  readonly count?: number;
}

/** How it ended. */
export function Outcome({ outcome, code, count = 1 }: OutcomeProps) {
  if (outcome === 'done') return <Badge tone="good" icon={IconCircleCheck} word="Done" />;
  return (
    <Badge
      tone="bad"
      icon={IconHandStop}
      word={count > 1 ? `Refused × ${count}` : 'Refused'}
      {...(code === null ? {} : { title: code })}
    />
  );
}

import { Button } from '@mantine/core';
import type { AuditEntry } from '@meshwork/contract';

/** What entries are to have in common. */
export type Narrowed = Partial<Record<'actor' | 'target' | 'action', string>>;

interface NarrowButtonsProps {
  readonly entry: AuditEntry;
  readonly narrow: (wanted: Narrowed) => void;
}

/** From one entry to all that are like it. */
export function NarrowButtons({ entry: { actor, target, action }, narrow }: NarrowButtonsProps) {
  const { id } = actor;
  return (
    <>
      {id !== null && (
        <Button size="compact-sm" variant="default" onClick={() => narrow({ actor: id })}>
          All by {actor.name}
        </Button>
      )}
      {target !== null && (
        <Button size="compact-sm" variant="default" onClick={() => narrow({ target: target.id })}>
          All on this {target.kind}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => narrow({ action })}>
        All {action}
      </Button>
    </>
  );
}

import { useSortable } from '@dnd-kit/sortable';
import { UnstyledButton } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { memo } from 'react';
import { RuleContent, type RuleContentProps } from './rule-content.tsx';
import classes from './rule-row.module.css';

interface RuleRowProps extends RuleContentProps {
  readonly isMarked: boolean;
}

/** One rule in the list, with a handle to move it by. */
export const RuleRow = memo(function RuleRow({ isMarked, ...content }: RuleRowProps) {
  const { rule, place, readOnly } = content;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: rule.id,
    disabled: readOnly,
  });
  const shift = transform === null ? undefined : `translate3d(0, ${Math.round(transform.y)}px, 0)`;
  return (
    <li
      ref={setNodeRef}
      id={rule.id}
      className={classes.row}
      data-dragging={isDragging || undefined}
      data-marked={isMarked || undefined}
      data-disabled={!rule.enabled || undefined}
      style={{ transform: shift, transition }}
    >
      {!readOnly && (
        <UnstyledButton
          ref={setActivatorNodeRef}
          className={classes.handle}
          {...attributes}
          {...listeners}
          aria-label={`Move rule ${place + 1}`}
        >
          <IconGripVertical size={18} aria-hidden />
        </UnstyledButton>
      )}
      <RuleContent {...content} />
    </li>
  );
});

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { Paper } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import type { FirewallFinding, FirewallRule } from '@meshwork/contract';
import classes from './rule-list.module.css';
import type { RowChange } from './rule-menu.tsx';
import { RuleRow } from './rule-row.tsx';

interface RuleListProps {
  /** As arranged. */
  readonly rules: readonly FirewallRule[];
  readonly findings: ReadonlyMap<number, readonly FirewallFinding[]>;
  /** Ids of rules that were moved and not saved. */
  readonly moved: ReadonlySet<string>;
  readonly readOnly: boolean;
  /** The rule that a link led to. */
  readonly marked: string | undefined;
  readonly onArrange: (order: readonly string[]) => void;
  readonly onChange: (rule: FirewallRule, change: RowChange) => void;
}

const NO_FINDINGS: readonly FirewallFinding[] = [];
const INSTRUCTIONS =
  'To move a rule, press Space, use the arrow keys, and press Space again to drop it. Press Escape to cancel.';

/** The rules in their order, to be arranged by dragging, by keyboard or from the menu of each. */
export function RuleList({ rules, findings, moved, readOnly, marked, onArrange, onChange }: RuleListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const order = rules.map(({ id }) => id);
  const move = (from: number, to: number) => onArrange(arrayMove([...order], from, to));
  // Always the same function: a row is rendered again only when something about it changes.
  const changed = useCallbackRef((rule: FirewallRule, place: number, change: RowChange) =>
    change.kind === 'move' ? move(place, change.to) : onChange(rule, change),
  );
  const dragged = ({ active, over }: DragEndEvent) => {
    if (over !== null && active.id !== over.id) move(order.indexOf(String(active.id)), order.indexOf(String(over.id)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={dragged}
      accessibility={{ announcements: announcementsOf(order), screenReaderInstructions: { draggable: INSTRUCTIONS } }}
    >
      <SortableContext items={order} strategy={verticalListSortingStrategy}>
        <Paper withBorder className={classes.list} component="ol" aria-label="Host rules, in order">
          {rules.map((rule, place) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={place}
              count={rules.length}
              findings={findings.get(place) ?? NO_FINDINGS}
              isMoved={moved.has(rule.id)}
              isMarked={rule.id === marked}
              readOnly={readOnly}
              onChange={changed}
            />
          ))}
        </Paper>
      </SortableContext>
    </DndContext>
  );
}

function announcementsOf(order: readonly string[]): Announcements {
  const placeOf = (id: string | number) => order.indexOf(String(id)) + 1;
  return {
    onDragStart: ({ active }) => `Picked up rule ${placeOf(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over === null ? undefined : `Rule ${placeOf(active.id)} is over position ${placeOf(over.id)}.`,
    onDragEnd: ({ active, over }) =>
      over === null
        ? 'The rule is back in its position.'
        : `Dropped rule ${placeOf(active.id)} at position ${placeOf(over.id)}. Save the order to apply it.`,
    onDragCancel: () => 'The rule is back in its position.',
  };
}

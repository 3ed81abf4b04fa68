import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDotsVertical,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';

/** A change to one rule. */
export type RowChange =
  | { readonly kind: 'enable'; readonly enabled: boolean }
  | { readonly kind: 'edit' | 'copy' | 'delete' }
  | { readonly kind: 'move'; readonly to: number };

interface RuleMenuProps {
  readonly place: number;
  readonly count: number;
  readonly onChange: (change: RowChange) => void;
}

/** The menu itself is made when it is first opened: 500 closed ones would be most of the page. */
export function RuleMenu(props: RuleMenuProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <OpenedMenu {...props} />;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-haspopup="menu"
      aria-label={nameOf(props.place)}
      onClick={() => setWanted(true)}
    >
      <IconDotsVertical size={18} aria-hidden />
    </ActionIcon>
  );
}

const nameOf = (place: number) => `Actions for rule ${place + 1}`;

function OpenedMenu({ place, count, onChange }: RuleMenuProps) {
  const last = count - 1;
  const moves = [
    { word: 'Move up', icon: IconArrowUp, to: place - 1, shown: place > 0 },
    { word: 'Move down', icon: IconArrowDown, to: place + 1, shown: place < last },
    { word: 'Move to top', icon: IconArrowBarToUp, to: 0, shown: place > 1 },
    { word: 'Move to bottom', icon: IconArrowBarToDown, to: last, shown: place < last - 1 },
  ].filter(({ shown }) => shown);
  return (
    <Menu position="bottom-end" withinPortal defaultOpened>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={nameOf(place)}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onChange({ kind: 'edit' })}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => onChange({ kind: 'copy' })}>
          Duplicate
        </Menu.Item>
        {moves.length > 0 && <Menu.Divider />}
        {moves.map(({ word, icon: Shown, to }) => (
          <Menu.Item
            key={word}
            leftSection={<Shown size={16} aria-hidden />}
            onClick={() => onChange({ kind: 'move', to })}
          >
            {word}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onChange({ kind: 'delete' })}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

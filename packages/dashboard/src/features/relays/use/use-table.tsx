import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import { GroupLink } from './group-link.tsx';
import type { RelayUse, UsingGroup } from './who-uses.ts';

interface UseTableProps {
  readonly groups: readonly UsingGroup[];
  readonly uses: readonly RelayUse[];
}

interface Row {
  readonly group: UsingGroup;
  /** Null: those that have none. */
  readonly relay: string | null;
  readonly homes: number;
  readonly standbys: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'group', header: 'Nodes', width: 'minmax(0, 1.4fr)', render: ({ group }) => <GroupLink group={group} /> },
  {
    id: 'relay',
    header: 'Relay',
    width: 'minmax(0, 1.2fr)',
    render: ({ relay }) =>
      relay === null ? (
        'None'
      ) : (
        <AnchorLink to="/relays/$name" params={{ name: relay }}>
          {relay}
        </AnchorLink>
      ),
  },
  { id: 'homes', header: 'As relay', render: (row) => <Count row={row} count={row.homes} field="relay" /> },
  {
    id: 'standbys',
    header: 'As standby',
    render: (row) => <Count row={row} count={row.standbys} field="standby_relay" />,
  },
];

/** The same as the drawing, in numbers that lead to the nodes. */
export function UseTable({ groups, uses }: UseTableProps) {
  return (
    <VirtualTable<Row>
      label="Who uses which relay"
      rows={rowsOf(groups, uses)}
      rowId={({ group, relay }) => `${group.name} ${relay ?? ''}`}
      columns={COLUMNS}
      height="26rem"
      empty={null}
    />
  );
}

function rowsOf(groups: readonly UsingGroup[], uses: readonly RelayUse[]): readonly Row[] {
  return groups.flatMap((group, place): Row[] => [
    ...uses
      .filter((use) => use.group === place)
      .map(({ relay, homes, standbys }) => ({ group, relay, homes, standbys })),
    ...(group.without === 0 ? [] : [{ group, relay: null, homes: group.without, standbys: 0 }]),
  ]);
}

interface CountProps {
  readonly row: Row;
  readonly count: number;
  readonly field: 'relay' | 'standby_relay';
}

function Count({ row: { group, relay }, count, field }: CountProps) {
  const text = count.toLocaleString();
  if (count === 0 || relay === null || group.search === null) return text;
  const use = field === 'relay' ? 'relay' : 'standby';
  return (
    <AnchorLink
      to="/nodes"
      search={{ ...group.search, [field]: relay }}
      aria-label={`${text}: nodes of ${group.name} with ${relay} as ${use}`}
    >
      {text}
    </AnchorLink>
  );
}

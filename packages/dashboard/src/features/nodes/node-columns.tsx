import type { Node } from '@meshwork/contract';
import { NAT_MEANINGS, NAT_WORDS, natOf } from '../../mesh/nat-words.ts';
import { RelayLink } from '../../mesh/relay-link.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { withoutPrefix } from '../../ui/quantities.ts';
import { NodeState } from '../../ui/state.tsx';
import { Tags } from '../../ui/tags.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { LastHeartbeat } from './detail/last-heartbeat.tsx';
import { DriftMark } from './drift-mark.tsx';
import classes from './nodes.module.css';

export function nodeColumns(onPickTag: (tag: string) => void): readonly Column<Node>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(0, 1.4fr)',
      render: ({ id, name }) => (
        <AnchorLink to="/nodes/$id" params={{ id }} inherit fw={500}>
          {name}
        </AnchorLink>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: 'minmax(8rem, 1.2fr)',
      render: ({ state, drift_since }) => (
        <span className={classes.state}>
          <NodeState state={state} />
          {drift_since !== null && <DriftMark since={drift_since} />}
        </span>
      ),
    },
    {
      id: 'address',
      header: 'Address',
      width: '8.5rem',
      priority: 2,
      render: ({ address }) => <span className={classes.mono}>{withoutPrefix(address)}</span>,
    },
    {
      id: 'tags',
      header: 'Tags',
      width: 'minmax(0, 3fr)',
      priority: 3,
      render: ({ tags }) => <Tags tags={tags} onPick={onPickTag} />,
    },
    {
      id: 'nat',
      header: 'NAT',
      width: '7.5rem',
      priority: 3,
      render: (node) => <span title={NAT_MEANINGS[natOf(node)]}>{NAT_WORDS[natOf(node)]}</span>,
    },
    {
      id: 'relay',
      header: 'Relay',
      width: '6rem',
      priority: 3,
      render: ({ relay }) => (relay === null ? 'None' : <RelayLink name={relay} />),
    },
    {
      id: 'heartbeat',
      header: 'Heartbeat',
      width: '7.5rem',
      priority: 2,
      render: (node) => <LastHeartbeat node={node} />,
    },
  ];
}

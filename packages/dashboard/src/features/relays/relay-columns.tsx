import type { Relay } from '@meshwork/contract';
import { NodeLink } from '../../mesh/node-link.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { RelayState } from '../../ui/state.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { loadWords } from './relay-words.ts';
import classes from './relays.module.css';

export const RELAY_COLUMNS: readonly Column<Relay>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1fr)',
    render: ({ name }) => (
      <AnchorLink to="/relays/$name" params={{ name }} fw={500}>
        {name}
      </AnchorLink>
    ),
  },
  {
    id: 'state',
    header: 'Health',
    width: 'minmax(7rem, 2fr)',
    render: (relay) => (
      <>
        <RelayState relay={relay} />
        <span className={classes.health}>{relay.health}</span>
      </>
    ),
  },
  { id: 'site', header: 'Site', width: '5rem', priority: 2, render: ({ site }) => site ?? 'Not set' },
  {
    id: 'where',
    header: 'Address',
    width: 'minmax(0, 1.6fr)',
    priority: 3,
    render: ({ host, port, node }) => (
      <>
        <span className={classes.mono}>
          {host}:{port}
        </span>
        <span className={classes.below}>{node === null ? 'External' : <NodeLink id={node} />}</span>
      </>
    ),
  },
  {
    id: 'nodes',
    header: 'Nodes',
    width: 'minmax(4.5rem, 0.8fr)',
    render: ({ name, nodes, capacity }) => (
      <>
        <AnchorLink to="/nodes" search={{ relay: name }} aria-label={`Nodes of ${name}: ${nodes}`}>
          {nodes.toLocaleString()}
        </AnchorLink>{' '}
        of {capacity.toLocaleString()}
      </>
    ),
  },
  {
    id: 'standbys',
    header: 'Standby for',
    width: '5.5rem',
    priority: 2,
    render: ({ name, standbys }) => (
      <AnchorLink to="/nodes" search={{ standby_relay: name }} aria-label={`Standby nodes of ${name}: ${standbys}`}>
        {standbys.toLocaleString()}
      </AnchorLink>
    ),
  },
  { id: 'load', header: 'Load', width: 'minmax(0, 1.4fr)', priority: 3, render: ({ load }) => loadWords(load) },
];

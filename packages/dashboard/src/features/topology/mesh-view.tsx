import { Loader } from '@mantine/core';
import type { PeerGraph } from '@meshwork/contract';
import { IconAccessPoint } from '@tabler/icons-react';
import type { Grouping } from './grouping.ts';
import legend from './legend.module.css';
import { LINK_LOOKS, LOOK_WORDS } from './link-look.ts';
import lines from './link-paths.module.css';
import { MeshDrawing } from './mesh-drawing.tsx';
import { NodeAside } from './node-aside.tsx';
import { useRelaysByNode } from './relays-by-node.ts';
import classes from './topology.module.css';
import { useLayout } from './use-layout.ts';

interface MeshViewProps {
  readonly graph: PeerGraph;
  readonly grouping: Grouping;
  /** Id of the node that is looked at. */
  readonly selected: string | null;
  readonly select: (node: string | null) => void;
}

/** The drawing, what its lines mean, and the node that is looked at. */
export function MeshView({ graph, grouping, selected, select }: MeshViewProps) {
  const layout = useLayout(graph, grouping);
  const relays = useRelaysByNode();
  const place = graph.nodes.findIndex(({ id }) => id === selected);
  const node = graph.nodes[place];
  return (
    <div className={classes.view} data-aside={node !== undefined}>
      <div>
        <div className={classes.drawing}>
          {layout === null ? (
            <div className={classes.waiting}>
              <Loader aria-label="Loading map" />
            </div>
          ) : (
            <MeshDrawing
              key={grouping}
              graph={graph}
              layout={layout}
              relays={relays}
              selected={selected}
              select={select}
            />
          )}
        </div>
        <Legend hasRelays={relays.size > 0} />
      </div>
      {node !== undefined && (
        <NodeAside
          node={node}
          graph={graph}
          place={place}
          runs={relays.get(node.id) ?? []}
          close={() => select(null)}
        />
      )}
    </div>
  );
}

/** What the lines mean. */
function Legend({ hasRelays }: { readonly hasRelays: boolean }) {
  return (
    <ul className={legend.legend} aria-label="Legend">
      {LINK_LOOKS.map((look) => (
        <li key={look} className={legend.one}>
          <svg width={36} height={8} aria-hidden="true">
            <path d="M0 4H36" data-look={look} className={`${lines.link} ${legend.line}`} />
          </svg>
          {LOOK_WORDS[look]}
        </li>
      ))}
      <li className={legend.one}>
        <span className={legend.offline} aria-hidden />
        Offline node
      </li>
      {hasRelays && (
        <li className={legend.one}>
          <span className={legend.relay} aria-hidden>
            <IconAccessPoint size={12} stroke={2.25} />
          </span>
          Relay
        </li>
      )}
    </ul>
  );
}

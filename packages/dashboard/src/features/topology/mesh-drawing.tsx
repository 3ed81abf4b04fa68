import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import type { PeerGraph } from '@meshwork/contract';
import { Controls, ReactFlow, type ReactFlowInstance, ViewportPortal } from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { NODE_LOOKS } from '../../ui/state.tsx';
import { boundsOf } from './bounds.ts';
import type { Layout, PlacedGroup } from './layout.ts';
import { LinkPaths } from './link-paths.tsx';
import classes from './mesh-drawing.module.css';
import { LitContext, MARK_CENTRE, MeshNode, type MeshNodeType, NODE_HEIGHT, NODE_WIDTH } from './mesh-node.tsx';
import type { RelaysByNode } from './relays-by-node.ts';

interface MeshDrawingProps {
  readonly graph: PeerGraph;
  readonly layout: Layout;
  readonly relays: RelaysByNode;
  readonly selected: string | null;
  readonly select: (node: string | null) => void;
}

const NODE_TYPES = { mesh: MeshNode };
/** Ours: more links than this are left out while the drawing is moved, which would stutter otherwise. */
const MANY_LINKS = 1_000;
/** A node lies where its mark does; its name hangs below. */
const AT_MARK: [number, number] = [0.5, MARK_CENTRE / NODE_HEIGHT];

/** The mesh as a drawing. The hovered or focused node is highlighted with its neighbours. */
export function MeshDrawing({ graph, layout, relays, selected, select }: MeshDrawingProps) {
  const scheme = useComputedColorScheme('light');
  const [pointedAt, setPointedAt] = useState<string | null>(null);
  const [isMoving, setMoving] = useState(false);
  const neighbours = useMemo(() => linksByNode(graph.links), [graph]);
  const nodes = useMemo(() => flowNodes(graph, layout, { neighbours, relays }), [graph, layout, neighbours, relays]);
  const looked = pointedAt ?? selected;
  const place = looked === null ? -1 : graph.nodes.findIndex(({ id }) => id === looked);
  const lit = useMemo(() => {
    if (place < 0) return null;
    const places = (neighbours.get(place) ?? []).flatMap((one) => {
      const link = graph.links[one];
      return link === undefined ? [] : [link.a, link.b];
    });
    return new Set([place, ...places].map((one) => graph.nodes[one]?.id ?? ''));
  }, [graph, neighbours, place]);
  const drawn = useRef<ReactFlowInstance<MeshNodeType>>(undefined);
  const showAll = () => void drawn.current?.fitBounds(boundsOf(layout), { padding: 0.05 });
  const pointAtFocused = (event: FocusEvent) => setPointedAt(nodeIn(event.target));
  const openFocused = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      const id = nodeIn(event.target);
      if (id !== null) select(id);
    } else if (event.key === 'Escape') select(null);
  };
  return (
    <LitContext value={lit}>
      <ReactFlow<MeshNodeType>
        aria-label="Map of the mesh. The list of links has the same information."
        className={classes.flow}
        colorMode={scheme}
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        nodeOrigin={AT_MARK}
        nodesDraggable={false}
        nodesConnectable={false}
        deleteKeyCode={null}
        onlyRenderVisibleElements
        onInit={(flow) => {
          drawn.current = flow;
          showAll();
        }}
        minZoom={0.05}
        maxZoom={2}
        onNodeClick={(_, { id }) => select(id)}
        onPaneClick={() => select(null)}
        onMoveStart={() => setMoving(true)}
        onMoveEnd={() => setMoving(false)}
        onNodeMouseEnter={(_, { id }) => setPointedAt(id)}
        onNodeMouseLeave={() => setPointedAt(null)}
        onFocus={pointAtFocused}
        onBlur={() => setPointedAt(null)}
        onKeyDown={openFocused}
      >
        <ViewportPortal>
          <div className={classes.beneath} data-hidden={isMoving && graph.links.length > MANY_LINKS} aria-hidden>
            <GroupGrounds groups={layout.groups} />
            <LinkPaths graph={graph} layout={layout} litPlaces={place < 0 ? null : (neighbours.get(place) ?? [])} />
          </div>
        </ViewportPortal>
        <Controls showInteractive={false} onFitView={showAll} />
      </ReactFlow>
    </LitContext>
  );
}

interface Known {
  readonly neighbours: Neighbours;
  readonly relays: RelaysByNode;
}

function flowNodes(graph: PeerGraph, { points }: Layout, { neighbours, relays }: Known): MeshNodeType[] {
  return graph.nodes.flatMap(({ id, name, state }, place) => {
    const position = points[id];
    // A node that just joined has no place until the next layout.
    if (position === undefined) return [];
    const links = neighbours.get(place)?.length ?? 0;
    const relay = relays.get(id)?.join(', ') ?? null;
    const runs = relay === null ? '' : `, relay ${relay}`;
    const ariaLabel = `${name}, ${NODE_LOOKS[state].word}${runs}, ${links} ${links === 1 ? 'link' : 'links'}`;
    return [
      {
        id,
        type: 'mesh' as const,
        position: { ...position },
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        ariaLabel,
        ariaRole: 'button' as const,
        data: { name, state, relay },
      },
    ];
  });
}

function nodeIn(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('.react-flow__node')?.getAttribute('data-id') ?? null) : null;
}

/** The ground that each group lies on, with its name above. */
function GroupGrounds({ groups }: { readonly groups: readonly PlacedGroup[] }) {
  return groups.map(({ name, x, y, radius }) => (
    <div
      key={name}
      className={classes.ground}
      style={{ width: radius * 2, height: radius * 2, transform: `translate(${x - radius}px, ${y - radius}px)` }}
    >
      <span className={classes.name} style={{ fontSize: Math.max(14, radius / 12) }}>
        {name}
      </span>
    </div>
  ));
}

type Neighbours = ReadonlyMap<number, readonly number[]>;

/** Places of the links of each node. */
function linksByNode(links: PeerGraph['links']): Neighbours {
  const found = new Map<number, number[]>();
  for (const [place, { a, b }] of links.entries()) {
    for (const end of [a, b]) {
      const known = found.get(end);
      if (known === undefined) found.set(end, [place]);
      else known.push(place);
    }
  }
  return found;
}

/** The drawing of a graph, laid out in a worker. Laid out again only when nodes join or leave, not when a link changes its state. */
import type { PeerGraph } from '@meshwork/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Grouping, groupOf } from './grouping.ts';
import type { Layout, LayoutRequest } from './layout.ts';

interface Drawn {
  readonly grouping: Grouping;
  readonly layout: Layout;
}

/** Null: it is being laid out for the first time. */
export function useLayout(graph: PeerGraph, grouping: Grouping): Layout | null {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const last = useRef<Drawn | null>(null);
  const shape = useMemo(() => JSON.stringify(shapeOf(graph, grouping)), [graph, grouping]);
  useEffect(() => {
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Layout>) => {
      last.current = { grouping, layout: data };
      setDrawn(last.current);
      worker.terminate();
    };
    const before = last.current?.grouping === grouping ? last.current.layout.points : {};
    const request: LayoutRequest = { ...(JSON.parse(shape) as Omit<LayoutRequest, 'before'>), before };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [shape, grouping]);
  return drawn?.layout ?? null;
}

function shapeOf({ nodes, links }: PeerGraph, grouping: Grouping): Omit<LayoutRequest, 'before'> {
  return {
    nodes: nodes.map((node) => ({ id: node.id, group: groupOf(node, grouping) })),
    links: links.map(({ a, b }) => ({ a, b })),
  };
}

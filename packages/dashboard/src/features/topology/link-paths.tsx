import type { PeerGraph } from '@meshwork/contract';
import { useMemo } from 'react';
import type { Layout } from './layout.ts';
import { LINK_LOOKS, pathsOf } from './link-look.ts';
import classes from './link-paths.module.css';

interface LinkPathsProps {
  readonly graph: PeerGraph;
  readonly layout: Layout;
  /** Places of the links that stand out. Null: none. */
  readonly litPlaces: readonly number[] | null;
}

/** All links, as one path for each look, and those of the highlighted node once more above them. */
export function LinkPaths({ graph, layout, litPlaces }: LinkPathsProps) {
  const pointAt = useMemo(() => {
    const points = graph.nodes.map(({ id }) => layout.points[id]);
    return (place: number) => points[place];
  }, [graph, layout]);
  const all = useMemo(() => pathsOf(graph.links, pointAt), [graph, pointAt]);
  const lit = useMemo(() => {
    const links = (litPlaces ?? []).flatMap((place) => graph.links[place] ?? []);
    return links.length === 0 ? null : pathsOf(links, pointAt);
  }, [graph, litPlaces, pointAt]);
  return (
    <svg className={classes.links} width={1} height={1} aria-hidden="true">
      <g data-dim={litPlaces !== null} className={classes.all}>
        {LINK_LOOKS.map((look) => (
          <path key={look} d={all[look]} data-look={look} className={classes.link} />
        ))}
      </g>
      {lit !== null && (
        <g className={classes.lit}>
          {LINK_LOOKS.map((look) => (
            <path key={look} d={lit[look]} data-look={look} className={classes.link} />
          ))}
        </g>
      )}
    </svg>
  );
}

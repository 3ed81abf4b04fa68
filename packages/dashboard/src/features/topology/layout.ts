/**
 * Where each node of the drawing lies. The same mesh gives the same drawing: nothing here is random, and a node that was
 * drawn before starts from where it was, so that a drawing that changes while one looks at it stays recognisable.
 */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';

/** Everything a worker needs to know, and no more: it is copied there. */
export interface LayoutRequest {
  readonly nodes: readonly { readonly id: string; readonly group: string | null }[];
  /** Places in `nodes`. */
  readonly links: readonly { readonly a: number; readonly b: number }[];
  /** Where nodes lay in the drawing before. */
  readonly before: Readonly<Record<string, Point>>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly points: Readonly<Record<string, Point>>;
  readonly groups: readonly PlacedGroup[];
}

export interface PlacedGroup extends Point {
  readonly name: string;
  readonly radius: number;
}

interface Body extends SimulationNodeDatum {
  readonly id: string;
  readonly group: string | null;
}

/** As wide as the box of a node is drawn. */
const SPACE = 92;
/** Ours: screens are wider than high, and so is the drawing. */
const WIDER = 1.3;
const TICKS = 260;
/** A drawing that is there already only has to give way. */
const TICKS_AGAIN = 60;

export function layOut({ nodes, links, before }: LayoutRequest): Layout {
  const bodies: Body[] = nodes.map(({ id, group }) => ({ id, group, ...before[id] }));
  const centres = centresOf(bodies);
  const towards = (axis: 'x' | 'y') => (body: Body) => centres.get(body.group)?.[axis] ?? 0;
  const pull = (body: Body) => (body.group !== null && centres.size > 1 ? 0.35 : 0.04);
  const known = bodies.filter(({ x }) => x !== undefined).length;
  const isKnown = known > bodies.length / 2;
  const degree = degrees(nodes.length, links);
  const simulation = forceSimulation<Body>(bodies)
    .force('charge', forceManyBody<Body>().strength(-320).distanceMax(900))
    .force('apart', forceCollide<Body>(SPACE / 2).iterations(2))
    .force('x', forceX<Body>(towards('x')).strength(pull))
    .force(
      'y',
      forceY<Body>(towards('y')).strength((body) => pull(body) * WIDER),
    )
    .force(
      'links',
      forceLink<Body, { source: number; target: number }>(links.map(({ a, b }) => ({ source: a, target: b })))
        .distance(SPACE * 1.6)
        // A node that is linked to all others must not pull them into one heap.
        .strength((_, place) => strength(links[place], degree, centres.size > 1)),
    )
    .stop();
  if (isKnown) simulation.alpha(0.3);
  simulation.tick(isKnown ? TICKS_AGAIN : TICKS);
  const points = Object.fromEntries(bodies.map(({ id, x = 0, y = 0 }) => [id, { x: Math.round(x), y: Math.round(y) }]));
  return { points, groups: around(bodies) };
}

function strength(link: { a: number; b: number } | undefined, degree: Uint32Array, isGrouped: boolean): number {
  const least = link === undefined ? 1 : Math.min(degree[link.a] ?? 1, degree[link.b] ?? 1);
  return (isGrouped ? 0.1 : 0.6) / Math.max(1, least);
}

function degrees(count: number, links: LayoutRequest['links']): Uint32Array {
  const degree = new Uint32Array(count);
  for (const { a, b } of links) {
    degree[a] = (degree[a] ?? 0) + 1;
    degree[b] = (degree[b] ?? 0) + 1;
  }
  return degree;
}

/** Groups lie on an ellipse that is as long as they need together, in order of their names. */
function centresOf(bodies: readonly Body[]): ReadonlyMap<string | null, Point> {
  const sizes = new Map<string, number>();
  for (const { group } of bodies) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const names = [...sizes.keys()].sort();
  const needs = names.map((name) => SPACE * 1.15 * Math.sqrt(sizes.get(name) ?? 1));
  const around = needs.reduce((sum, need) => sum + need, 0);
  const radius = names.length > 1 ? Math.max(around / 4, SPACE * 2) : 0;
  const centres = new Map<string | null, Point>();
  let walked = 0;
  for (const [place, name] of names.entries()) {
    const need = needs[place] ?? 0;
    const angle = ((walked + need / 2) / around) * 2 * Math.PI - Math.PI / 2;
    centres.set(name, { x: Math.cos(angle) * radius * 1.3, y: Math.sin(angle) * radius });
    walked += need;
  }
  return centres;
}

/** The circle around each group, for its name and its ground. */
function around(bodies: readonly Body[]): readonly PlacedGroup[] {
  const groups = Map.groupBy(
    bodies.filter(({ group }) => group !== null),
    ({ group }) => group ?? '',
  );
  return [...groups].map(([name, members]) => {
    const x = members.reduce((sum, body) => sum + (body.x ?? 0), 0) / members.length;
    const y = members.reduce((sum, body) => sum + (body.y ?? 0), 0) / members.length;
    const far = Math.max(...members.map((body) => Math.hypot((body.x ?? 0) - x, (body.y ?? 0) - y)));
    return { name, x: Math.round(x), y: Math.round(y), radius: Math.round(far + SPACE * 0.7) };
  });
}

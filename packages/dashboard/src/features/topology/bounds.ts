import type { Layout } from './layout.ts';

/** Around a node, so that its name is inside. */
const AROUND = 60;
/** Above a group, where its name is. */
const ABOVE = 40;

/** Where everything lies that is drawn: the nodes, and the grounds of groups, which reach beyond them. */
export function boundsOf({ points, groups }: Layout): { x: number; y: number; width: number; height: number } {
  const places = [
    ...Object.values(points).map(({ x, y }) => ({ x, y, radius: AROUND, above: 0 })),
    ...groups.map(({ x, y, radius }) => ({ x, y, radius, above: ABOVE })),
  ];
  const left = least(places.map(({ x, radius }) => x - radius));
  const top = least(places.map(({ y, radius, above }) => y - radius - above));
  const right = 0 - least(places.map(({ x, radius }) => -x - radius));
  const bottom = 0 - least(places.map(({ y, radius }) => -y - radius));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), numbers[0] ?? 0);
}

import classes from './group-grounds.module.css';
import type { PlacedGroup } from './layout.ts';

/** The ground that each group lies on, with its name above. */
export function GroupGrounds({ groups }: { readonly groups: readonly PlacedGroup[] }) {
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

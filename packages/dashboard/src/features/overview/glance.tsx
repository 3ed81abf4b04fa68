import type { Overview } from '@meshwork/contract';
import { AttentionList } from './attention-list.tsx';
import { Figures } from './figures.tsx';
import classes from './glance.module.css';
import { NodesByState } from './nodes-by-state.tsx';
import { RecentEvents } from './recent-events.tsx';

/** A mesh that has nodes: how they are, what needs somebody, what happened. */
export function Glance({ overview }: { readonly overview: Overview }) {
  return (
    <div className={classes.glance}>
      <div className={classes.top}>
        <NodesByState nodes={overview.nodes} />
        <Figures overview={overview} />
      </div>
      <div className={classes.rest}>
        <AttentionList attention={overview.attention} total={overview.attention_total} />
        <RecentEvents />
      </div>
    </div>
  );
}

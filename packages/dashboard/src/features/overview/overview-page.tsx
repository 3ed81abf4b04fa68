import type { Overview } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { AttentionList } from './attention-list.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NodesByState } from './nodes-by-state.tsx';
import classes from './overview-page.module.css';
import { RecentEvents } from './recent-events.tsx';

export default function OverviewPage() {
  const overview = useRead('overview.show');
  return (
    <Page title="Overview" subtitle="State of the mesh, and what needs attention.">
      <Loaded query={overview}>
        {(body) => (body.nodes.total === 0 ? <FirstSteps /> : <Glance overview={body} />)}
      </Loaded>
    </Page>
  );
}

/** A mesh that has nodes: their states, what needs attention, recent events. */
function Glance({ overview }: { readonly overview: Overview }) {
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

import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Glance } from './glance.tsx';

export default function OverviewPage() {
  const overview = useRead('overview.show');
  return (
    <Page title="Overview" subtitle="How the mesh is now, and what needs somebody.">
      <Loaded query={overview}>
        {(body) => (body.nodes.total === 0 ? <FirstSteps /> : <Glance overview={body} />)}
      </Loaded>
    </Page>
  );
}

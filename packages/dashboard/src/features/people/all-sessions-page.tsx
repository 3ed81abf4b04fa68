import { SessionsTable } from '../../session/sessions-table.tsx';
import { Page } from '../../ui/page.tsx';

export default function AllSessionsPage() {
  return (
    <Page title="Sessions" subtitle="All signed-in browsers." back={{ to: '/people', label: 'People' }}>
      <SessionsTable user="*" />
    </Page>
  );
}

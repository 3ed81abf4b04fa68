import { SessionsTable } from '../../session/sessions-table.tsx';
import { Page } from '../../ui/page.tsx';

export default function AllSessionsPage() {
  return (
    <Page title="Sessions" subtitle="Every browser that is signed in." back={{ to: '/people', label: 'People' }}>
      <SessionsTable user="*" />
    </Page>
  );
}

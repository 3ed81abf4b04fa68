import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useSession } from '../../session/session.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';

const TABS = [
  { to: '/audit', title: 'Mesh' },
  { to: '/audit/panel', title: 'Panel' },
];

/** The two trails. That of the panel is for those whose boundary is the whole mesh. */
export function AuditNav() {
  const { scope } = useSession().user;
  return isWholeMesh(scope) ? <PageTabs label="Audit trails" tabs={TABS} /> : null;
}

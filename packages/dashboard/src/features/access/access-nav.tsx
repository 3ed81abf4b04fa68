import { PageTabs } from '../../ui/page-tabs.tsx';

const TABS = [
  { to: '/access', title: 'Policy' },
  { to: '/access/versions', title: 'Versions' },
];

/** The policy, and what it was before. */
export function AccessNav() {
  return <PageTabs label="Policy views" tabs={TABS} />;
}

import { PageTabs } from '../../ui/page-tabs.tsx';

const TABS = [
  { to: '/waf', title: 'Policies' },
  { to: '/waf/events', title: 'Events' },
  { to: '/waf/test', title: 'Test bench' },
];

export function WafNav() {
  return <PageTabs label="WAF" tabs={TABS} />;
}

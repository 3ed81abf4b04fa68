import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import { PolicyForm } from './policy-form.tsx';

export default function NewPolicyPage() {
  const { scope } = useSession().user;
  return (
    <Page title="New WAF policy" back={{ to: '/waf', label: 'WAF' }}>
      <Permitted permission="waf:write" doing="Changing a WAF policy">
        <PolicyForm policy={null} etag={undefined} own={scope} />
      </Permitted>
    </Page>
  );
}

import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import { MayWrite } from './may-write.tsx';
import { PolicyForm } from './policy-form.tsx';

export default function NewPolicyPage() {
  const { scope } = useSession().user;
  return (
    <Page title="New WAF policy" back={{ to: '/waf', label: 'WAF' }}>
      <MayWrite>
        <PolicyForm policy={null} etag={undefined} own={scope} />
      </MayWrite>
    </Page>
  );
}

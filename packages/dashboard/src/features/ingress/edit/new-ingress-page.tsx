import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import { IngressForm } from './ingress-form.tsx';
import { MayWrite } from './may-write.tsx';

export default function NewIngressPage() {
  const { scope } = useSession().user;
  return (
    <Page
      title="New ingress"
      subtitle="A public address that leads to a service of the mesh."
      back={{ to: '/ingress', label: 'Ingress' }}
    >
      <MayWrite>
        <IngressForm ingress={null} etag={undefined} own={scope} />
      </MayWrite>
    </Page>
  );
}

import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import { IngressForm } from './ingress-form.tsx';

export default function NewIngressPage() {
  const { scope } = useSession().user;
  return (
    <Page
      title="New ingress"
      subtitle="A public address that leads to a service of the mesh."
      back={{ to: '/ingress', label: 'Ingress' }}
    >
      <Permitted permission="ingress:write" doing="Changing an ingress">
        <IngressForm ingress={null} etag={undefined} own={scope} />
      </Permitted>
    </Page>
  );
}

import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { IngressForm } from './ingress-form.tsx';

export default function EditIngressPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('ingress.show', { params: { id } });
  const { scope } = useSession().user;
  const [attempt, setAttempt] = useState(0);
  const name = query.data?.body.name;
  return (
    <Page
      title={name === undefined ? 'Edit ingress' : `Edit ${name}`}
      back={{ to: `/ingress/${id}`, label: name ?? 'Ingress' }}
    >
      <Permitted permission="ingress:write" doing="Changing an ingress">
        <Loaded query={query}>
          {(ingress, { etag }) => (
            <IngressForm
              key={`${ingress.id} ${attempt}`}
              ingress={ingress}
              etag={etag ?? undefined}
              own={scope}
              onAgain={() => setAttempt(attempt + 1)}
            />
          )}
        </Loaded>
      </Permitted>
    </Page>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../../api/actions.ts';
import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import { newAuthorityOf, newDraft } from './authority-draft.ts';
import { AuthorityForm } from './authority-form.tsx';

export default function NewAuthorityPage() {
  return (
    <Page
      title="Add authority"
      subtitle="It issues certificates for ingresses by ACME, and renews them."
      back={{ to: '/outside-authorities', label: 'Outside authorities' }}
    >
      <Permitted permission="outside_authorities:write" doing="Adding an authority">
        <NewAuthority />
      </Permitted>
    </Page>
  );
}

function NewAuthority() {
  const own = useSession().user.scope;
  const create = useAction('outside_authorities.create', { quiet: true, touches: ['overview', 'audit'] });
  const navigate = useNavigate();
  return (
    <AuthorityForm
      initial={newDraft(own)}
      own={own}
      action="Add authority"
      cancel="/outside-authorities"
      error={create.error}
      isRunning={create.isRunning}
      onSubmit={async (draft) => {
        const { body } = await create.run({ body: newAuthorityOf(draft) });
        await navigate({ to: '/outside-authorities/$id', params: { id: body.id } });
      }}
    />
  );
}

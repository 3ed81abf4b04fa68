import { useNavigate, useParams } from '@tanstack/react-router';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { Permitted } from '../../../session/permitted.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { changesOf, draftOf } from './authority-draft.ts';
import { AuthorityForm } from './authority-form.tsx';

export default function EditAuthorityPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('outside_authorities.show', { params: { id } });
  const page = `/outside-authorities/${id}`;
  const name = query.data?.body.name;
  const touches = ['certificate_orders', 'overview', 'audit'];
  const update = useAction('outside_authorities.update', { quiet: true, touches });
  const navigate = useNavigate();
  return (
    <Page
      title={name === undefined ? 'Edit authority' : `Edit ${name}`}
      subtitle="Its directory and scope stay: its account is there."
      back={{ to: page, label: name ?? 'Outside authority' }}
    >
      <Permitted permission="outside_authorities:write" doing="Changing an authority">
        <Loaded query={query}>
          {(authority, { etag }) => (
            <AuthorityForm
              key={authority.id}
              initial={draftOf(authority)}
              own={null}
              action="Save"
              cancel={page}
              error={update.error}
              isRunning={update.isRunning}
              onSubmit={async (draft) => {
                const body = changesOf(draft, draftOf(authority));
                await update.run({ params: { id }, body, if_match: etag ?? undefined });
                await navigate({ to: page });
              }}
            />
          )}
        </Loaded>
      </Permitted>
    </Page>
  );
}

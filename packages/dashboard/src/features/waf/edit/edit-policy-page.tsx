import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { PolicyForm } from './policy-form.tsx';

export default function EditPolicyPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('waf.show', { params: { id } });
  const { scope } = useSession().user;
  const [attempt, setAttempt] = useState(0);
  const name = query.data?.body.name;
  return (
    <Page
      title={name === undefined ? 'Edit WAF policy' : `Edit ${name}`}
      back={{ to: `/waf/${id}`, label: name ?? 'WAF policy' }}
    >
      <Permitted permission="waf:write" doing="Changing a WAF policy">
        <Loaded query={query}>
          {(policy, { etag }) => (
            <PolicyForm
              key={`${policy.id} ${attempt}`}
              policy={policy}
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

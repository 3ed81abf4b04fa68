import { Text } from '@mantine/core';
import type { Policy } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { AccessNav } from './access-nav.tsx';
import { Workbench } from './workbench.tsx';

export default function AccessPage() {
  const query = useRead('acls.show');
  const policy = query.data?.body;
  return (
    <Page
      title="Policy"
      subtitle={
        policy === undefined ? (
          'Who can reach what. Everything without a grant is denied.'
        ) : (
          <InEffect policy={policy} />
        )
      }
    >
      <AccessNav />
      <Loaded query={query}>{(body, { etag }) => <Workbench policy={body} etag={etag ?? ''} />}</Loaded>
    </Page>
  );
}

function InEffect({ policy: { version, created_at, created_by, note, grants, groups } }: { readonly policy: Policy }) {
  return (
    <>
      Version {version} is in effect, with {grants} {grants === 1 ? 'grant' : 'grants'} between {groups}{' '}
      {groups === 1 ? 'group' : 'groups'}.{' '}
      {created_by === null ? (
        'The default policy of a new mesh.'
      ) : (
        <>
          Saved {created_at !== null && <Ago at={created_at} />} by <Actor actor={created_by} />
          {note === null ? '.' : ': '}
          {note !== null && (
            <Text span inherit>
              {note}
            </Text>
          )}
        </>
      )}
    </>
  );
}

import { Group } from '@mantine/core';
import type { PolicyVersion } from '@meshwork/contract';
import { IconCircleCheck, IconHistory } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList, useRead } from '../../api/queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { AccessNav } from './access-nav.tsx';

export default function VersionsPage() {
  const list = useList('acls.versions');
  const current = useRead('acls.show').data?.body.version;
  const navigate = useNavigate();
  return (
    <Page title="Policy versions" subtitle="Every saved version, with its author, date and note.">
      <AccessNav />
      {list.error !== null ? (
        <ProblemNotice error={list.error} onRetry={list.again} />
      ) : (
        <VirtualTable
          label="Policy versions"
          rows={list.items}
          rowId={({ version }) => String(version)}
          columns={columnsOf(current)}
          loading={list.isLoading}
          more={list.more}
          hasMore={list.hasMore}
          onOpen={({ version }) => void navigate({ to: '/access/versions/$n', params: { n: String(version) } })}
          empty={
            <EmptyState icon={IconHistory} title="No versions yet" command="mesh acl edit">
              Saving the policy creates the first version.
            </EmptyState>
          }
        />
      )}
    </Page>
  );
}

function columnsOf(current: number | undefined): readonly Column<PolicyVersion>[] {
  return [
    {
      id: 'version',
      header: 'Version',
      width: '9rem',
      render: ({ version }) => (
        <Group gap={6} wrap="nowrap">
          <AnchorLink to="/access/versions/$n" params={{ n: String(version) }} size="sm">
            {version}
          </AnchorLink>
          {version === current && <Badge tone="good" icon={IconCircleCheck} word="In effect" />}
        </Group>
      ),
    },
    {
      id: 'created_at',
      header: 'When',
      width: '8rem',
      render: ({ created_at }) => (created_at === null ? '–' : <Ago at={created_at} />),
    },
    {
      id: 'created_by',
      header: 'Who',
      width: 'minmax(0, 2fr)',
      priority: 2,
      render: ({ created_by }) => (created_by === null ? '–' : <Actor actor={created_by} />),
    },
    { id: 'note', header: 'Note', width: 'minmax(0, 4fr)', render: whyOf },
    { id: 'groups', header: 'Groups', width: '5rem', priority: 3, render: ({ groups }) => groups },
    { id: 'grants', header: 'Grants', width: '5rem', priority: 2, render: ({ grants }) => grants },
  ];
}

function whyOf({ note, restored_from, created_by }: PolicyVersion): string {
  if (created_by === null) return 'Default of a new mesh';
  const restored = restored_from === null ? [] : [`Restored from version ${restored_from}`];
  return [...restored, ...(note === null ? [] : [note])].join(': ');
}

import { Button, Group } from '@mantine/core';
import type { Session } from '@meshwork/contract';
import { IconDevices } from '@tabler/icons-react';
import { useMemo } from 'react';
import { usePanelAction } from '../api/actions.ts';
import { usePanelList } from '../api/queries.ts';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Ago } from '../ui/moment.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { type Column, VirtualTable } from '../ui/virtual-table.tsx';
import { browserName } from './browser-name.ts';
import { useMay, useSession } from './session.tsx';

interface SessionsTableProps {
  /** Whose. `*`: all people. Absent: the own ones. */
  readonly user?: string;
}

const METHODS: Readonly<Record<Session['method'], string>> = {
  setup: 'Set-up code',
  invitation: 'Invitation',
  password: 'Password',
  totp: 'Password and code',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
  oidc: 'Provider',
};

/** Where people are signed in, and the button that ends it. */
export function SessionsTable({ user }: SessionsTableProps) {
  const sessions = usePanelList<Session>('sessions.list', user === undefined ? undefined : { query: { user } });
  const end = usePanelAction('sessions.end', { done: 'Session ended' });
  const endAll = usePanelAction('sessions.end_all', {
    done: ({ ended }) => (ended === 1 ? '1 session ended' : `${ended} sessions ended`),
  });
  const confirm = useConfirm();
  const self = useSession().user.id;
  const writes = useMay()('users:write');
  const all = user === '*';
  const endOne = end.run;
  const columns = useMemo<readonly Column<Session>[]>(() => {
    const ends = (session: Session) => !session.current && (writes || session.user.id === self);
    return [
      ...(all ? [WHOSE] : []),
      ...COLUMNS,
      {
        id: 'end',
        header: 'End',
        width: '5.5rem',
        render: (session) =>
          ends(session) ? (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`End the session of ${session.user.name} at ${session.address}`}
              onClick={() => void endOne({ params: { id: session.id } }).catch(() => undefined)} // already reported
            >
              End
            </Button>
          ) : (
            session.current && 'This session'
          ),
      },
    ];
  }, [all, writes, self, endOne]);

  const endAllOfThem = async () => {
    const own = user === undefined;
    const asked = {
      title: own ? 'Sign out everywhere else' : 'End all sessions',
      consequence: own
        ? 'You are signed out in all other browsers. This session stays.'
        : 'They are signed out everywhere. Unsaved work is lost.',
      action: 'End sessions',
      danger: true,
    };
    if (await confirm(asked)) await endAll.run(own ? {} : { query: { user } });
  };

  if (sessions.error !== null) return <ProblemNotice error={sessions.error} onRetry={sessions.again} />;
  const mayEndAll = !all && (user === undefined || writes) && sessions.items.some(({ current }) => !current);
  return (
    <>
      {mayEndAll && (
        <Group justify="flex-end">
          <Button
            size="xs"
            variant="default"
            loading={endAll.isRunning}
            onClick={() => void endAllOfThem().catch(() => undefined)} // already reported
          >
            {user === undefined ? 'Sign out everywhere else' : 'End all'}
          </Button>
        </Group>
      )}
      <VirtualTable
        label="Sessions"
        rows={sessions.items}
        rowId={({ id }) => id}
        columns={columns}
        more={sessions.more}
        hasMore={sessions.hasMore}
        loading={sessions.isLoading}
        empty={<EmptyState icon={IconDevices} title="No sessions" />}
      />
    </>
  );
}

const WHOSE: Column<Session> = {
  id: 'user',
  header: 'Who',
  render: ({ user }) => (
    <AnchorLink to="/people/$id" params={{ id: user.id }}>
      {user.name}
    </AnchorLink>
  ),
};

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    render: ({ user_agent }) => <span title={user_agent}>{browserName(user_agent)}</span>,
  },
  { id: 'address', header: 'Address', render: ({ address }) => address },
  { id: 'method', header: 'Method', priority: 3, render: ({ method }) => METHODS[method] },
  { id: 'since', header: 'Since', width: '8rem', priority: 3, render: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: 'seen',
    header: 'Last seen',
    width: '8rem',
    priority: 2,
    render: ({ last_seen_at }) => <Ago at={last_seen_at} />,
  },
  { id: 'expires', header: 'Expires', width: '7rem', priority: 3, render: ({ expires }) => <Ago at={expires} /> },
];

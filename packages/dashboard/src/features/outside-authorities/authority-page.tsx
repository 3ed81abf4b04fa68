import { Alert, Text } from '@mantine/core';
import type { OutsideAuthority } from '@meshwork/contract';
import { IconClockPause } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { AuditSection } from '../../mesh/audit-section.tsx';
import { Orders } from '../../mesh/orders.tsx';
import { May } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import classes from '../../ui/record.module.css';
import { Section } from '../../ui/section.tsx';
import { AccountState } from './account-state.tsx';
import { AuthorityActions } from './authority-actions.tsx';
import { AuthorityFacts } from './authority-facts.tsx';
import { LOOK_EVERY_MS, titleOf } from './authority-words.ts';

export default function AuthorityPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('outside_authorities.show', { params: { id } }, { every_ms: LOOK_EVERY_MS });
  const authority = query.data?.body;
  const etag = query.data?.etag ?? undefined;
  return (
    <Page
      title={authority?.name ?? 'Outside authority'}
      back={{ to: '/outside-authorities', label: 'Outside authorities' }}
      subtitle={authority !== undefined && titleOf(authority.directory)}
      actions={authority !== undefined && <AuthorityActions authority={authority} etag={etag} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <>
            <Paused authority={shown} />
            <div className={classes.columns}>
              <div className={classes.column}>
                <Accounts authority={shown} />
                <May permission="ingress:read">
                  <Section title="Orders" description="One for each host name of an ingress that names it.">
                    <Orders authority={shown.id} keep={() => true} empty={<NoOrders name={shown.name} />} />
                  </Section>
                </May>
                <May permission="audit:read">
                  <AuditSection target={shown.id} />
                </May>
              </div>
              <div className={classes.column}>
                <AuthorityFacts authority={shown} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Paused({ authority: { paused_until } }: { readonly authority: OutsideAuthority }) {
  if (paused_until === null) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconClockPause aria-hidden />} title="Paused">
      The authority wants fewer requests. Nothing is asked of it before <Moment at={paused_until} />.
    </Alert>
  );
}

function NoOrders({ name }: { readonly name: string }) {
  return (
    <>
      No ingress names it. Choose it in the form of an ingress, or on the command line:{' '}
      <code>mesh ingress set NAME --certificate {name}</code>
    </>
  );
}

function Accounts({ authority: { account, staging_account } }: { readonly authority: OutsideAuthority }) {
  const both = [
    ['Where certificates count', account],
    ['For attempts (staging)', staging_account],
  ] as const;
  return (
    <Section title="Accounts" description="They are made and kept by the coordinator.">
      <ul className={classes.lines} aria-label="Accounts with the authority">
        {both.map(
          ([label, one]) =>
            one !== null && (
              <li key={label}>
                <div className={classes.head}>
                  <span>{label}</span>
                  <AccountState account={one} />
                </div>
                {one.url !== null && <span className={classes.below}>{one.url}</span>}
                {one.created_at !== null && (
                  <span className={classes.below}>
                    Made <Moment at={one.created_at} />
                  </span>
                )}
                {one.problem !== null && (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {one.problem}
                  </Text>
                )}
              </li>
            ),
        )}
      </ul>
    </Section>
  );
}

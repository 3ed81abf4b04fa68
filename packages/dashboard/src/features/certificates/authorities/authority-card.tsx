import { Group, Paper, Progress, Text, Title } from '@mantine/core';
import type { Authority } from '@meshwork/contract';
import { type Icon, IconCircleCheck, IconClockExclamation, IconClockOff, IconListDetails } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { sharedNow, subscribeToTime } from '../../../ui/ago.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { Ago, Moment } from '../../../ui/moment.tsx';
import { plural } from '../../../ui/plural.ts';
import { type AuthorityHealth, healthOf, percentUsed } from './authority-health.ts';

const HEALTH: Readonly<
  Record<AuthorityHealth, { readonly tone: Tone; readonly icon: Icon; readonly word: string; readonly colour: string }>
> = {
  healthy: { tone: 'good', icon: IconCircleCheck, word: 'Healthy', colour: 'teal' },
  ending: { tone: 'watch', icon: IconClockExclamation, word: 'Expires soon', colour: 'yellow' },
  list_overdue: { tone: 'bad', icon: IconListDetails, word: 'Revocation list overdue', colour: 'red' },
  expired: { tone: 'bad', icon: IconClockOff, word: 'Expired', colour: 'red' },
};

export function AuthorityCard({ authority }: { readonly authority: Authority }) {
  const health = useSyncExternalStore(subscribeToTime, () => healthOf(authority, sharedNow()));
  const used = useSyncExternalStore(subscribeToTime, () => percentUsed(authority, sharedNow()));
  const { colour, ...badge } = HEALTH[health];
  const isRoot = authority.role === 'root';
  return (
    <Paper withBorder p="sm" component="li" miw={0}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {authority.name}
        </Title>
        <Badge {...badge} />
      </Group>
      <Text size="sm" c="dimmed" mb={6}>
        {isRoot ? 'Root: programs trust it.' : 'Intermediate: signs certificates.'} {used}% of its lifetime used.
      </Text>
      <Progress value={used} color={colour} size="sm" mb="xs" aria-label={`Lifetime of ${authority.name} used`} />
      <Facts items={factsOf(authority)} />
    </Paper>
  );
}

function factsOf(authority: Authority): readonly Fact[] {
  const { role, not_after, certificates, revocation_list, fingerprint, constraints } = authority;
  return [
    {
      label: 'Valid until',
      value: (
        <>
          <Moment at={not_after} /> (<Ago at={not_after} />)
        </>
      ),
    },
    { label: role === 'root' ? 'Valid intermediates' : 'Valid certificates', value: certificates.toLocaleString() },
    {
      label: 'Revocation list',
      value: revocation_list === null ? 'None yet' : <RevocationList list={revocation_list} />,
      help: 'Programs that check revocation need a list that is still good. A new one is made long before.',
    },
    {
      label: 'Can certify',
      value: [
        ...constraints.domains.map((domain) => `*.${domain}`),
        ...constraints.networks,
        `spiffe://${constraints.trust_domain}`,
      ].join(', '),
      help: 'Programs refuse certificates of this authority for anything else.',
    },
    { label: 'SHA-256 fingerprint', value: <Copyable value={fingerprint} /> },
  ];
}

function RevocationList({ list }: { readonly list: NonNullable<Authority['revocation_list']> }) {
  const { number, entries, made_at, next_at } = list;
  return (
    <>
      {plural(entries, 'entry', 'entries')}, made <Ago at={made_at} />, good until <Moment at={next_at} />, number{' '}
      {number}
    </>
  );
}

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
import { AUTHORITY_LOOKS } from '../../../ui/state.tsx';
import classes from './authorities.module.css';
import { type AuthorityHealth, daysLeft, healthOf, percentUsed } from './authority-health.ts';
import { authorityWords } from './authority-words.ts';

const HEALTH: Readonly<
  Record<AuthorityHealth, { readonly tone: Tone; readonly icon: Icon; readonly word: string; readonly colour: string }>
> = {
  healthy: { tone: 'good', icon: IconCircleCheck, word: 'Healthy', colour: 'teal' },
  ending: { tone: 'watch', icon: IconClockExclamation, word: 'Expires soon', colour: 'yellow' },
  list_overdue: { tone: 'bad', icon: IconListDetails, word: 'Revocation list overdue', colour: 'red' },
  expired: { tone: 'bad', icon: IconClockOff, word: 'Expired', colour: 'red' },
};

/** One authority: how long it is good for and what it has signed; the rest on request. */
export function AuthorityCard({ authority }: { readonly authority: Authority }) {
  const { name, state, revocation_list } = authority;
  const health = useSyncExternalStore(subscribeToTime, () => healthOf(authority, sharedNow()));
  const used = useSyncExternalStore(subscribeToTime, () => percentUsed(authority, sharedNow()));
  const left = useSyncExternalStore(subscribeToTime, () => daysLeft(authority, sharedNow()));
  // One that is not in use yet, or no more, has no health to speak of.
  const { colour, ...badge } = state === 'active' ? HEALTH[health] : { colour: 'gray', ...AUTHORITY_LOOKS[state] };
  return (
    <Paper withBorder p="sm" component="li" miw={0}>
      <Group justify="space-between" gap={4}>
        <Title order={3} size="h5" className={classes.name}>
          {name}
        </Title>
        <Badge {...badge} />
      </Group>
      <Text size="sm" c="dimmed">
        {authorityWords(authority)}
      </Text>
      <Progress value={used} color={colour} size="sm" my={8} aria-label={`Used lifetime of ${name}`} />
      <Text size="sm">
        {plural(left, 'day')} left, {used}% used. Valid until <Moment at={authority.not_after} />.
      </Text>
      <Text size="sm">
        {revocation_list === null ? 'No revocation list yet.' : <RevocationList list={revocation_list} />}
      </Text>
      <details className={classes.details}>
        <summary>Fingerprint and constraints</summary>
        <Facts items={factsOf(authority)} />
      </details>
    </Paper>
  );
}

function RevocationList({ list: { entries, made_at, next_at } }: ListProps) {
  return (
    <>
      Revocation list with {plural(entries, 'entry', 'entries')}, made <Ago at={made_at} />, good until{' '}
      <Moment at={next_at} />.
    </>
  );
}
interface ListProps {
  readonly list: NonNullable<Authority['revocation_list']>;
}

function factsOf(authority: Authority): readonly Fact[] {
  const { fingerprint, serial, constraints, revocation_list, revocation_list_url: url } = authority;
  const { domains, networks, trust_domain } = constraints;
  const allowed = [...domains.map((domain) => `*.${domain}`), ...networks, `spiffe://${trust_domain}`];
  return [
    { label: 'SHA-256', value: <Copyable value={fingerprint} /> },
    { label: 'Serial number', value: <Copyable value={serial} /> },
    ...(revocation_list === null ? [] : [{ label: 'List number', value: String(revocation_list.number) }]),
    ...(url === null
      ? []
      : [
          {
            label: 'List address',
            value: <Copyable value={url} />,
            help: 'In certificates that it signs from now on.',
          },
        ]),
    {
      label: 'Can certify',
      value: allowed.join(', '),
      help: 'Programs refuse certificates of this authority for anything else.',
    },
  ];
}

import { Burger, Group } from '@mantine/core';
import type { Overview } from '@meshwork/contract';
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefreshDot,
  IconRoute,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../api/queries.ts';
import type { LiveState } from '../live/follow.ts';
import { useLiveState } from '../live/live.tsx';
import { May, useMay } from '../session/session.tsx';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import classes from './header.module.css';
import { Logo } from './logo.tsx';
import { PersonMenu } from './person-menu.tsx';

interface HeaderProps {
  readonly navigation_open: boolean;
  readonly onToggleNavigation: () => void;
}

export function Header({ navigation_open, onToggleNavigation }: HeaderProps) {
  return (
    <Group h="100%" px="sm" gap="sm" wrap="nowrap" justify="space-between">
      <Group gap="xs" wrap="nowrap">
        <Burger
          opened={navigation_open}
          onClick={onToggleNavigation}
          hiddenFrom="sm"
          size="sm"
          aria-label={navigation_open ? 'Close navigation' : 'Open navigation'}
          aria-expanded={navigation_open}
        />
        <Link to="/" className={classes.home}>
          <Logo size={24} />
          <span>Meshwork</span>
        </Link>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <HealthMark />
        <LiveMark />
        <May permission="acls:read">
          <ButtonLink
            to="/reach"
            variant="default"
            size="xs"
            visibleFrom="sm"
            leftSection={<IconRoute size={16} aria-hidden />}
          >
            Why can’t A reach B?
          </ButtonLink>
        </May>
        <ColourSchemeSwitch />
        <PersonMenu />
      </Group>
    </Group>
  );
}

/** Whether something needs attention, on every page. Links to the list. */
function HealthMark() {
  const overview = useRead('overview.show', undefined, { enabled: useMay()('nodes:read') });
  if (overview.data === undefined) return null;
  return (
    <Link to="/" className={classes.health}>
      <Health {...overview.data.body} />
    </Link>
  );
}

function Health({ attention, attention_total }: Overview) {
  // The most urgent come first, so those are among the ones that are named.
  const critical = attention.filter(({ severity }) => severity === 'critical').length;
  if (critical > 0) return <Badge tone="bad" icon={IconAlertTriangle} word={`${critical} critical`} />;
  if (attention_total > 0) return <Badge tone="watch" icon={IconAlertTriangle} word={`${attention_total} to review`} />;
  return <Badge tone="good" icon={IconCircleCheck} word="Healthy" />;
}

const LOOKS: Readonly<
  Record<LiveState, { readonly tone: Tone; readonly icon: Icon; readonly word: string; readonly title: string }>
> = {
  live: { tone: 'good', icon: IconPlugConnected, word: 'Live', title: 'Changes appear as they happen' },
  connecting: { tone: 'off', icon: IconRefreshDot, word: 'Connecting', title: 'Connecting to the event stream' },
  away: {
    tone: 'bad',
    icon: IconPlugConnectedX,
    word: 'Not live',
    title: 'The event stream is disconnected; what you see may be outdated',
  },
};

/** Whether the page is kept up to date. Hidden without permission to follow events. */
function LiveMark() {
  const state = useLiveState();
  if (!useMay()('events:read')) return null;
  return (
    <span role="status" style={{ display: 'inline-flex' }}>
      <Badge {...LOOKS[state]} />
    </span>
  );
}

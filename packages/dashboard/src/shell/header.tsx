import { Burger, Group } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { May } from '../session/session.tsx';
import { ButtonLink } from '../ui/anchor-link.tsx';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import classes from './header.module.css';
import { HealthMark } from './health-mark.tsx';
import { LiveMark } from './live-mark.tsx';
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

import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { usePanelAction } from '../api/actions.ts';

/** Light or dark, here and wherever the person signs in. "As the device" is chosen in the own account. */
export function ColourSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const update = usePanelAction('profile.update');
  const next = scheme === 'dark' ? 'light' : 'dark';
  const label = next === 'dark' ? 'Dark mode' : 'Light mode';
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => {
          setColorScheme(next);
          void update.run({ body: { appearance: next } }).catch(() => undefined); // already reported; it applies here anyway
        }}
      >
        {next === 'dark' ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

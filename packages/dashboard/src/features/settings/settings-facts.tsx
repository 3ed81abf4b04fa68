import { Stack } from '@mantine/core';
import type { Settings } from '@meshwork/contract';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { SECTIONS, SETTINGS, settingsOf, valueAt } from './setting-table.ts';
import { valueWords } from './value-words.ts';

/** The settings to look at. */
export function SettingsFacts({ settings }: { readonly settings: Settings }) {
  const roles = Object.entries(settings.tokens.surface_roles);
  return (
    <Stack gap="md">
      {SECTIONS.map(({ id, title, description }) => (
        <Section key={id} title={title} description={description}>
          <Facts
            items={[
              ...settingsOf(id).map((path) => ({
                label: SETTINGS[path].label,
                value: valueWords(path, valueAt(settings, path)),
                help: SETTINGS[path].meaning,
              })),
              ...(id === 'tokens' ? roles : []).map(([surface, role]) => ({
                label: `Role for the surface ${surface}`,
                value: role,
              })),
            ]}
          />
        </Section>
      ))}
    </Stack>
  );
}

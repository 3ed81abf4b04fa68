import { Stack } from '@mantine/core';
import type { Settings } from '@meshwork/contract';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { useSettingSections, valueAt, valueText } from './setting-table.ts';

/** The settings, read-only. */
export function SettingsFacts({ settings }: { readonly settings: Settings }) {
  const sections = useSettingSections();
  const roles = Object.entries(settings.tokens.surface_roles);
  return (
    <Stack gap="md">
      {sections.map(({ id, title, description, settings: shown }) => (
        <Section key={id} title={title} description={description}>
          <Facts
            items={[
              ...shown.map((setting) => ({
                label: setting.label,
                value: valueText(setting, valueAt(settings, setting.path)),
                help: setting.meaning,
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

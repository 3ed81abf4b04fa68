import { List, Text } from '@mantine/core';
import type { Settings } from '@meshwork/contract';
import type { Draft } from './draft.ts';
import { useSettingSections, valueAt, valueText } from './setting-table.ts';

interface ChangeListProps {
  readonly draft: Draft;
  readonly settings: Settings;
}

/** The changes to save, with their consequences. */
export function ChangeList({ draft, settings }: ChangeListProps) {
  const changed = useSettingSections().flatMap((section) =>
    section.settings.filter(({ path }) => draft.values.has(path)),
  );
  return (
    <List size="sm" spacing="xs">
      {changed.map((setting) => {
        const before = valueAt(settings, setting.path);
        const after = draft.values.get(setting.path)?.after ?? null;
        const follows = setting.consequence?.(after, before) ?? null;
        return (
          <List.Item key={setting.path}>
            <strong>{setting.label}</strong>: {valueText(setting, before)} → {valueText(setting, after)}
            {follows !== null && (
              <Text size="sm" component="div">
                {follows}
              </Text>
            )}
          </List.Item>
        );
      })}
      {[...draft.surface_roles].map(([surface, role]) => (
        <List.Item key={`surface ${surface}`}>
          <strong>Role for the surface {surface}</strong>: {settings.tokens.surface_roles[surface] ?? 'none'} →{' '}
          {role ?? 'none'}. Existing tokens keep their role.
        </List.Item>
      ))}
    </List>
  );
}

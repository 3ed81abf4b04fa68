import { List, Text } from '@mantine/core';
import type { Settings } from '@meshwork/contract';
import type { Draft } from './draft.ts';
import { SETTINGS, valueAt } from './setting-table.ts';
import { valueWords } from './value-words.ts';

interface ChangeListProps {
  readonly draft: Draft;
  readonly settings: Settings;
}

/** What is about to be changed, and what follows from it. */
export function ChangeList({ draft, settings }: ChangeListProps) {
  return (
    <List size="sm" spacing="xs">
      {[...draft.values].map(([path, { after }]) => {
        const before = valueAt(settings, path);
        const { label, consequence } = SETTINGS[path];
        const follows = consequence?.(after, before) ?? null;
        return (
          <List.Item key={path}>
            <strong>{label}</strong>: {valueWords(path, before)} becomes {valueWords(path, after)}.
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
          <strong>Role for the surface {surface}</strong>: {settings.tokens.surface_roles[surface] ?? 'none of its own'}{' '}
          becomes {role ?? 'none of its own'}. Tokens that exist keep their role.
        </List.Item>
      ))}
    </List>
  );
}

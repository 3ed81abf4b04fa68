import { Button, Group, Text } from '@mantine/core';
import { DEFAULT_SETTINGS } from '@meshwork/contract/vocabulary';
import { IconAlertTriangle } from '@tabler/icons-react';
import { isSame, type SettingValue } from '../../feature/setting-fields.ts';
import type { Change } from './draft.ts';
import classes from './setting-field.module.css';
import { SettingInput } from './setting-input.tsx';
import { type Setting, valueAt, valueText } from './setting-table.ts';

interface SettingFieldProps {
  readonly setting: Setting;
  readonly current: SettingValue;
  /** Undefined: it was not touched. */
  readonly change: Change | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

/** One setting: its value, the unsaved change, the consequence, and how to undo it. */
export function SettingField({ setting, current, change, error, onChange }: SettingFieldProps) {
  const value = change === undefined ? current : change.after;
  const usual = valueAt(DEFAULT_SETTINGS, setting.path);
  const follows = change === undefined ? null : (setting.consequence?.(value, current) ?? null);
  const isContested = change !== undefined && !isSame(change.before, current);
  return (
    <div className={classes.field} data-changed={change !== undefined}>
      <SettingInput setting={setting} value={value} error={error} onChange={onChange} />
      <Group gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {change !== undefined && `Currently ${valueText(setting, current)}. `}Default: {valueText(setting, usual)}
        </Text>
        {!isSame(value, usual) && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(usual)}
            aria-label={`Reset to default: ${setting.label}`}
          >
            Reset to default
          </Button>
        )}
        {change !== undefined && !isSame(current, usual) && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(current)}
            aria-label={`Undo change: ${setting.label}`}
          >
            Undo change
          </Button>
        )}
      </Group>
      {follows !== null && (
        <p className={classes.note} role="status">
          <IconAlertTriangle size={16} aria-hidden />
          <span>{follows}</span>
        </p>
      )}
      {isContested && (
        <p className={classes.note} role="status">
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            Changed by another person meanwhile, from {valueText(setting, change.before)} to{' '}
            {valueText(setting, current)}.
          </span>
        </p>
      )}
    </div>
  );
}

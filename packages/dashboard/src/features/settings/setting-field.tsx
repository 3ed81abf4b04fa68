import { Button, Group, Text } from '@mantine/core';
import { DEFAULT_SETTINGS } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Change } from './draft.ts';
import classes from './setting-field.module.css';
import { SettingInput } from './setting-input.tsx';
import { SETTINGS, type SettingPath, type SettingValue, valueAt } from './setting-table.ts';
import { valueWords } from './value-words.ts';

interface SettingFieldProps {
  readonly path: SettingPath;
  readonly current: SettingValue;
  /** Undefined: it was not touched. */
  readonly change: Change | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

/** One setting: what it is, what it would be, what follows, and the way back. */
export function SettingField({ path, current, change, error, onChange }: SettingFieldProps) {
  const value = change === undefined ? current : change.after;
  const usual = valueAt(DEFAULT_SETTINGS, path);
  const follows = change === undefined ? null : (SETTINGS[path].consequence?.(value, current) ?? null);
  const isContested = change !== undefined && change.before !== current;
  return (
    <div className={classes.field} data-changed={change !== undefined}>
      <SettingInput path={path} value={value} error={error} onChange={onChange} />
      <Group gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {change !== undefined && `Now ${valueWords(path, current)}. `}Default: {valueWords(path, usual)}
        </Text>
        {value !== usual && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(usual)}
            aria-label={`Reset to default: ${SETTINGS[path].label}`}
          >
            Reset to default
          </Button>
        )}
        {change !== undefined && current !== usual && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onChange(current)}
            aria-label={`Leave as it is: ${SETTINGS[path].label}`}
          >
            Leave as it is
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
            Somebody changed it meanwhile, from {valueWords(path, change.before)} to {valueWords(path, current)}.
          </span>
        </p>
      )}
    </div>
  );
}

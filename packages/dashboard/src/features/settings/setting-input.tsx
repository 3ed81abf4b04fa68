import { NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { DEFAULT_SETTINGS } from '@meshwork/contract';
import classes from './setting-input.module.css';
import { SETTINGS, type SettingPath, type SettingValue, valueAt } from './setting-table.ts';

interface SettingInputProps {
  readonly path: SettingPath;
  readonly value: SettingValue;
  readonly error: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

/** Ours: what a count begins with when it was "for ever" before. */
const FIRST_COUNT = 365;

/** The field that fits the kind of setting. Whether a value is allowed is said by the coordinator, beside the field. */
export function SettingInput(props: SettingInputProps) {
  const { path, value, onChange } = props;
  const { label, meaning, kind, none } = SETTINGS[path];
  if (kind === 'switch') {
    return (
      <Switch
        label={label}
        description={meaning}
        checked={value === true}
        error={props.error ?? null}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (none === undefined) return kind === 'count' ? <Count {...props} /> : <Network {...props} />;
  return (
    <Stack gap={6}>
      {kind === 'count' ? <Count {...props} /> : <Network {...props} />}
      <Switch
        size="xs"
        label={none}
        aria-label={`${label}: ${none}`}
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : firstOf(path))}
      />
    </Stack>
  );
}

function firstOf(path: SettingPath): SettingValue {
  return valueAt(DEFAULT_SETTINGS, path) ?? (SETTINGS[path].kind === 'count' ? FIRST_COUNT : '');
}

function Count({ path, value, error, onChange }: SettingInputProps) {
  const { label, meaning, unit, none } = SETTINGS[path];
  return (
    <NumberInput
      label={label}
      description={meaning}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=" "
      suffix={unit === undefined ? '' : ` ${unit}`}
      disabled={value === null}
      {...(none !== undefined && value === null ? { placeholder: none } : {})}
      value={typeof value === 'number' ? value : ''}
      error={error ?? (value === '' ? 'A whole number' : null)}
      onChange={(next) => onChange(typeof next === 'number' ? next : '')}
    />
  );
}

function Network({ path, value, error, onChange }: SettingInputProps) {
  const { label, meaning, none } = SETTINGS[path];
  return (
    <TextInput
      label={label}
      description={meaning}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.network }}
      disabled={value === null}
      {...(none !== undefined && value === null ? { placeholder: none } : {})}
      value={typeof value === 'string' ? value : ''}
      error={error ?? (value === '' ? 'A network, such as 100.64.0.0/10' : null)}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}

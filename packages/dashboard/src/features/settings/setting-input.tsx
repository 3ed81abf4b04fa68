import { NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { DEFAULT_SETTINGS } from '@meshwork/contract/vocabulary';
import type { SettingValue } from '../../feature/setting-fields.ts';
import classes from './setting-input.module.css';
import { type Setting, valueAt } from './setting-table.ts';

interface SettingInputProps {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly error: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

/** Ours: what a count starts with when it had no value before. */
const FIRST_COUNT = 365;

/** The field that fits the kind of setting. The coordinator validates values; its errors appear beside the field. */
export function SettingInput(props: SettingInputProps) {
  const { setting, value, onChange } = props;
  const { label, meaning, kind, none } = setting;
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
  if (kind === 'list') return <Entries {...props} />;
  if (none === undefined) return kind === 'count' ? <Count {...props} /> : <Line {...props} />;
  return (
    <Stack gap={6}>
      {kind === 'count' ? <Count {...props} /> : <Line {...props} />}
      <Switch
        size="xs"
        label={none}
        aria-label={`${label}: ${none}`}
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : firstOf(setting))}
      />
    </Stack>
  );
}

function firstOf({ path, kind }: Setting): SettingValue {
  return valueAt(DEFAULT_SETTINGS, path) ?? (kind === 'count' ? FIRST_COUNT : '');
}

function Count({ setting, value, error, onChange }: SettingInputProps) {
  const { label, meaning, unit, none } = setting;
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
      error={error ?? (value === '' ? 'Enter a whole number' : null)}
      onChange={(next) => onChange(typeof next === 'number' ? next : '')}
    />
  );
}

function Line({ setting, value, error, onChange }: SettingInputProps) {
  const { label, meaning, none, example = 'a value' } = setting;
  return (
    <TextInput
      label={label}
      description={meaning}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.line }}
      disabled={value === null}
      {...(none !== undefined && value === null ? { placeholder: none } : {})}
      value={typeof value === 'string' ? value : ''}
      error={error ?? (value === '' ? `Enter ${example}` : null)}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}

function Entries({ setting, value, error, onChange }: SettingInputProps) {
  const { label, meaning, example = 'a value' } = setting;
  const entries = Array.isArray(value) ? [...value] : [];
  return (
    <TagsInput
      label={label}
      description={meaning}
      {...(entries.length === 0 ? { placeholder: `Add ${example}` } : {})}
      classNames={{ input: classes.line }}
      value={entries}
      error={error ?? null}
      acceptValueOnBlur
      splitChars={[',', ' ']}
      onChange={(next) => onChange(next.map((entry) => entry.trim()).filter((entry) => entry !== ''))}
    />
  );
}

import { ActionIcon, Button, Input, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import classes from './edit.module.css';
import { type HeaderDraft, withHeader } from './traffic-draft.ts';

interface HeaderRulesProps {
  readonly label: string;
  readonly description: string;
  /** On the button. */
  readonly add: string;
  readonly headers: readonly HeaderDraft[];
  /** What the coordinator says of one of them: `0/name`. Empty: of all of them. */
  readonly wrong: (field: string) => string | null;
  readonly onChange: (headers: readonly HeaderDraft[]) => void;
}

const WAYS = [
  { value: 'set', label: 'Set to' },
  { value: 'remove', label: 'Remove' },
];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** Headers that gateways set or remove, a row each. */
export function HeaderRules({ label, description, add, headers, wrong, onChange }: HeaderRulesProps) {
  const set = (index: number, change: Partial<HeaderDraft>) => {
    const header = headers[index];
    if (header !== undefined) onChange(headers.with(index, { ...header, ...change }));
  };
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Stack gap="xs" mt={6}>
        {headers.map(({ key, name, value }, index) => {
          const named = name === '' ? 'the new header' : name;
          return (
            <div key={key} className={classes.header}>
              <TextInput
                {...PLAIN}
                className={classes.headerName}
                aria-label="Header name"
                placeholder="X-Frame-Options"
                value={name}
                error={wrong(`${index}/name`)}
                onChange={(event) => set(index, { name: event.currentTarget.value.trim() })}
              />
              <Select
                className={classes.headerWay}
                aria-label={`What to do with ${named}`}
                allowDeselect={false}
                data={WAYS}
                value={value === null ? 'remove' : 'set'}
                onChange={(way) => set(index, { value: way === 'remove' ? null : (value ?? '') })}
              />
              {value !== null && (
                <TextInput
                  {...PLAIN}
                  className={classes.headerValue}
                  aria-label={`Value of ${named}`}
                  placeholder="Value"
                  value={value}
                  error={wrong(`${index}/value`)}
                  onChange={(event) => set(index, { value: event.currentTarget.value })}
                />
              )}
              <ActionIcon
                className={classes.headerRemove}
                variant="default"
                size="input-sm"
                aria-label={`Remove the rule for ${named}`}
                onClick={() => onChange(headers.filter((one) => one.key !== key))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </div>
          );
        })}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(withHeader(headers))}
          >
            {add}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  );
}

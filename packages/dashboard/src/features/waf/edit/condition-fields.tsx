import { Button, MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { WafRule } from '@meshwork/contract';
import { WAF_TRANSFORMS } from '@meshwork/contract/vocabulary';
import { useState } from 'react';
import { isNamed, PART_CHOICES, TEST_CHOICES } from '../waf-words.ts';
import classes from './edit.module.css';
import { settled } from './policy-draft.ts';

type Condition = WafRule['when'][number];

interface ConditionFieldsProps {
  readonly title: string;
  readonly condition: Condition;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (condition: Condition) => void;
  /** Null: a rule needs one. */
  readonly onRemove: (() => void) | null;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
const TRANSFORMS = WAF_TRANSFORMS.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

export function ConditionFields({ title, condition, wrong, onChange, onRemove }: ConditionFieldsProps) {
  const { part, name, test, values, negated, transforms } = condition;
  const set = (change: Partial<Condition>) => onChange(settled({ ...condition, ...change }));
  const tests = TEST_CHOICES.filter(({ value }) => value !== 'in_networks' || part === 'address');
  return (
    <fieldset className={classes.condition} aria-label={title}>
      <div className={classes.several}>
        <Select
          label="Part"
          allowDeselect={false}
          data={PART_CHOICES}
          value={part}
          error={wrong('part')}
          onChange={(value) => {
            const wanted = PART_CHOICES.find((one) => one.value === value)?.value ?? part;
            set({ part: wanted, ...(test === 'in_networks' && wanted !== 'address' ? { test: 'equals' } : {}) });
          }}
        />
        {isNamed(part) && (
          <TextInput
            {...PLAIN}
            label="Called"
            placeholder="Each of them"
            value={name ?? ''}
            error={wrong('name')}
            onChange={(event) => {
              const text = event.currentTarget.value.trim();
              set({ name: text === '' ? null : text });
            }}
          />
        )}
        <Select
          label="Test"
          allowDeselect={false}
          data={tests}
          value={test}
          error={wrong('test')}
          onChange={(value) => set({ test: tests.find((one) => one.value === value)?.value ?? test })}
        />
      </div>
      {test !== 'is_there' && (
        <Lines
          label={test === 'matches' ? 'Regular expressions' : test === 'in_networks' ? 'Networks' : 'Values'}
          values={values}
          error={wrong('values')}
          onChange={(lines) => set({ values: [...lines] })}
        />
      )}
      <div className={classes.several}>
        <MultiSelect
          label="Before that"
          description="What is done to the value, in this order."
          placeholder={transforms.length === 0 ? 'Nothing' : ''}
          data={TRANSFORMS}
          value={[...transforms]}
          error={wrong('transforms')}
          onChange={(wanted) =>
            set({ transforms: wanted.flatMap((one) => WAF_TRANSFORMS.filter((known) => known === one)) })
          }
        />
        <Switch
          label="Turn it round: it is met when the test fails"
          mt="lg"
          checked={negated}
          onChange={(event) => set({ negated: event.currentTarget.checked })}
        />
      </div>
      {onRemove !== null && (
        <div>
          <Button size="compact-xs" variant="default" aria-label={`Remove ${title}`} onClick={onRemove}>
            Remove condition
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface LinesProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly error: string | null;
  readonly onChange: (values: readonly string[]) => void;
}

/** One value a line: a regular expression has commas and spaces of its own. */
function Lines({ label, values, error, onChange }: LinesProps) {
  const [text, setText] = useState(values.join('\n'));
  return (
    <Textarea
      {...PLAIN}
      label={label}
      description="One a line. One of them has to fit."
      required
      autosize
      minRows={1}
      classNames={{ input: classes.lines ?? '' }}
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(
          event.currentTarget.value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        );
      }}
    />
  );
}

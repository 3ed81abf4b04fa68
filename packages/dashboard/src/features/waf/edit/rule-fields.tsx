import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import type { WafRule } from '@meshwork/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { NumberField } from '../../../ui/number-field.tsx';
import { ConditionFields } from './condition-fields.tsx';
import classes from './edit.module.css';
import { FIRST_CONDITION } from './policy-draft.ts';

interface RuleFieldsProps {
  readonly rule: WafRule;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (rule: WafRule) => void;
  readonly onRemove: () => void;
}

const ACTIONS: readonly { readonly value: WafRule['action']; readonly label: string }[] = [
  { value: 'block', label: 'Block' },
  { value: 'allow', label: 'Allow, without further inspection' },
  { value: 'score', label: 'Add points' },
];
const FIRST_SCORE = 3;

export function RuleFields({ rule, wrong, onChange, onRemove }: RuleFieldsProps) {
  const { name, when, action, score } = rule;
  const title = name === '' ? 'the new rule' : name;
  return (
    <fieldset className={classes.rule} aria-label={`Rule ${title}`}>
      <div className={classes.several}>
        <TextInput
          label="Name"
          description="What it is called in events."
          placeholder="no-xmlrpc"
          required
          autoComplete="off"
          spellCheck={false}
          value={name}
          error={wrong('name')}
          onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
        />
        <Select
          label="Action"
          description="If all conditions are met."
          allowDeselect={false}
          data={ACTIONS}
          value={action}
          error={wrong('action')}
          onChange={(value) => {
            const wanted = ACTIONS.find((one) => one.value === value)?.value ?? action;
            onChange({ ...rule, action: wanted, score: wanted === 'score' ? FIRST_SCORE : 0 });
          }}
        />
        {action === 'score' && (
          <NumberField
            label="Points"
            description="A critical match has 5."
            min={0}
            max={100}
            value={score}
            error={wrong('score')}
            onChange={(points) => onChange({ ...rule, score: points })}
          />
        )}
      </div>
      {when.map((condition, index) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone; with another number of them, each begins anew
          key={`${index} of ${when.length}`}
          title={`Condition ${index + 1} of ${title}`}
          condition={condition}
          wrong={(field) => wrong(`when/${index}/${field}`)}
          onChange={(changed) => onChange({ ...rule, when: when.with(index, changed) })}
          onRemove={when.length === 1 ? null : () => onChange({ ...rule, when: when.filter((_, at) => at !== index) })}
        />
      ))}
      <div className={classes.several} style={{ gridTemplateColumns: 'auto auto 1fr' }}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange({ ...rule, when: [...when, FIRST_CONDITION] })}
        >
          Add condition
        </Button>
        <ActionIcon variant="default" size="input-xs" aria-label={`Remove rule ${title}`} onClick={onRemove}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </div>
    </fieldset>
  );
}

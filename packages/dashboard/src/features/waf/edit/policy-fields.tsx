import { Button, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { Scope, WafPolicy } from '@meshwork/contract';
import { IconPlus } from '@tabler/icons-react';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { MODE_HELP } from '../waf-words.ts';
import { ClientFields } from './client-fields.tsx';
import classes from './edit.module.css';
import { problemAt } from './field-problems.ts';
import { type PolicyDraft, withRule } from './policy-draft.ts';
import { RequestFields } from './request-fields.tsx';
import { RuleFields } from './rule-fields.tsx';

interface PolicyFieldsProps {
  readonly draft: PolicyDraft;
  /** The person's own boundary, for a new one. Null: it is there already, and keeps its scope. */
  readonly own: Scope | null;
  /** Of the last attempt to save. */
  readonly error: unknown;
  readonly onChange: (draft: PolicyDraft) => void;
}

const MODES: readonly { readonly value: WafPolicy['mode']; readonly label: string }[] = [
  { value: 'detect', label: 'Detect' },
  { value: 'block', label: 'Block' },
  { value: 'off', label: 'Off' },
];
const LEVELS = ['1', '2', '3', '4'];

export function PolicyFields({ draft, own, error, onChange }: PolicyFieldsProps) {
  const set = (change: Partial<PolicyDraft>) => onChange({ ...draft, ...change });
  const wrong = (field: string) => problemAt(error, `/${field}`);
  const { paranoia, thresholds, rules } = draft;
  return (
    <>
      <Section title="Policy">
        <Stack className={classes.readable}>
          <TextInput
            label="Name"
            placeholder="public"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value.trim().toLowerCase() })}
          />
          <Textarea
            label="Note"
            description="For people."
            autosize
            maxLength={500}
            value={draft.note}
            error={wrong('note')}
            onChange={(event) => set({ note: event.currentTarget.value })}
          />
          <Select
            label="Mode"
            description={MODE_HELP[draft.mode]}
            allowDeselect={false}
            data={MODES}
            value={draft.mode}
            error={wrong('mode')}
            onChange={(value) => set({ mode: MODES.find((one) => one.value === value)?.value ?? draft.mode })}
          />
        </Stack>
      </Section>
      <Section
        title="How strict"
        description="A higher level and a lower threshold find more, and are wrong more often."
      >
        <Stack className={classes.readable}>
          <div className={classes.several}>
            <Select
              label="Paranoia level"
              description="Rules up to it count."
              allowDeselect={false}
              data={LEVELS}
              value={String(paranoia.block)}
              error={wrong('paranoia/block')}
              onChange={(value) => {
                const block = Number(value ?? paranoia.block);
                set({ paranoia: { block, detect: Math.max(block, paranoia.detect) } });
              }}
            />
            <Select
              label="Recorded up to"
              description="Found, not counted."
              allowDeselect={false}
              data={LEVELS.filter((level) => Number(level) >= paranoia.block)}
              value={String(paranoia.detect)}
              error={wrong('paranoia/detect')}
              onChange={(value) => set({ paranoia: { ...paranoia, detect: Number(value ?? paranoia.detect) } })}
            />
            <NumberField
              label="Threshold"
              description="A critical match scores 5."
              min={1}
              max={10_000}
              value={thresholds.inbound}
              error={wrong('thresholds/inbound')}
              onChange={(inbound) => set({ thresholds: { ...thresholds, inbound } })}
            />
          </div>
          <Folded
            title="Advanced"
            label="Advanced settings of strictness"
            summary={advancedWords(draft)}
            isOpenForced={['early_blocking', 'sampling_percent', 'inspect_responses'].some(
              (one) => wrong(one) !== null,
            )}
          >
            <Stack>
              <Switch
                label="Inspect answers"
                description="Holds answers of services back until they were inspected. It costs memory and time with every answer, and breaks streams of events."
                checked={draft.inspect_responses}
                error={wrong('inspect_responses')}
                onChange={(event) => set({ inspect_responses: event.currentTarget.checked })}
              />
              {draft.inspect_responses && (
                <NumberField
                  label="Threshold of answers"
                  min={1}
                  max={10_000}
                  value={thresholds.outbound}
                  error={wrong('thresholds/outbound')}
                  onChange={(outbound) => set({ thresholds: { ...thresholds, outbound } })}
                />
              )}
              <Switch
                label="Early blocking"
                description="Judges a request by its headers before its body is read. Only rule sets from version 4 can."
                checked={draft.early_blocking}
                error={wrong('early_blocking')}
                onChange={(event) => set({ early_blocking: event.currentTarget.checked })}
              />
              <NumberField
                label="Sampling"
                description="How many of 100 requests are inspected, by chance. The rest passes."
                suffix=" %"
                min={1}
                max={100}
                value={draft.sampling_percent}
                error={wrong('sampling_percent')}
                onChange={(sampling_percent) => set({ sampling_percent })}
              />
            </Stack>
          </Folded>
        </Stack>
      </Section>
      <RequestFields
        requests={draft.requests}
        wrong={(field) => wrong(`requests/${field}`)}
        onChange={(requests) => set({ requests })}
      />
      <ClientFields
        clients={draft.clients}
        wrong={(field) => wrong(`clients/${field}`)}
        onChange={(clients) => set({ clients })}
      />
      <Section
        title="Rules of your own"
        description="They run in this order, before those of the rule set. All conditions of a rule have to be met."
      >
        <Stack className={classes.readable}>
          {rules.map(({ key, rule }, index) => (
            <RuleFields
              key={key}
              rule={rule}
              wrong={(field) => wrong(`rules/${index}/${field}`)}
              onChange={(changed) => set({ rules: rules.with(index, { key, rule: changed }) })}
              onRemove={() => set({ rules: rules.filter((one) => one.key !== key) })}
            />
          ))}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onChange(withRule(draft))}
            >
              Add rule
            </Button>
          </div>
        </Stack>
      </Section>
      {own !== null && (
        <Section title="Scope">
          <Stack className={classes.readable}>
            <ScopeFields
              meaning="Only people and ingresses inside of it can use the policy. It cannot be moved later."
              own={own}
              value={draft.scope}
              onChange={(scope) => set({ scope })}
              error={error}
            />
          </Stack>
        </Section>
      )}
    </>
  );
}

function advancedWords({ inspect_responses, early_blocking, sampling_percent }: PolicyDraft): string {
  return [
    inspect_responses ? 'Answers are inspected' : 'Answers are not inspected',
    ...(early_blocking ? ['early blocking'] : []),
    ...(sampling_percent === 100 ? [] : [`${sampling_percent} % of requests`]),
  ].join(' · ');
}

import { Button, Checkbox, Select, Text, TextInput } from '@mantine/core';
import type { WafExclusionRules, WafPolicy } from '@meshwork/contract';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import classes from '../waf.module.css';
import { exclusionWords, isNamed, PART_CHOICES } from '../waf-words.ts';
import { draftProblems, type ExclusionDraft, exclusionOf, NEW_EXCLUSION } from './exclusion-draft.ts';
import { ShownReplay } from './replay.tsx';
import { Saving } from './saving.tsx';

interface ExclusionFormProps {
  readonly policy: WafPolicy;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
const BY = [
  { value: 'rule', label: 'Rule' },
  { value: 'tag', label: 'All rules with a tag' },
] as const;
const PARTS = [...PART_CHOICES, { value: '', label: 'everything: the rules do not run' }] as const;

/** An exclusion by hand. What it would have let through is shown before it can be saved. */
export function ExclusionForm({ policy, etag, onClose }: ExclusionFormProps) {
  const [draft, setDraft] = useState(NEW_EXCLUSION);
  const [isTried, setTried] = useState(false);
  const [previewed, setPreviewed] = useState<WafExclusionRules | null>(null);
  const problems = draftProblems(draft);
  const wrong = (field: keyof ExclusionDraft) => (isTried ? (problems[field] ?? null) : null);
  const set = (change: Partial<ExclusionDraft>) => {
    setDraft({ ...draft, ...change });
    setPreviewed(null); // it says nothing of another one
  };
  const preview = () => {
    setTried(true);
    if (Object.keys(problems).length === 0) setPreviewed(exclusionOf(draft));
  };
  return (
    <form
      aria-label="New exclusion"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        preview();
      }}
    >
      <div className={classes.filters}>
        <Select
          label="What does not look"
          allowDeselect={false}
          data={BY}
          value={draft.by}
          onChange={(value) => set({ by: value === 'tag' ? 'tag' : 'rule', which: '' })}
        />
        <TextInput
          {...PLAIN}
          label={draft.by === 'rule' ? 'Number' : 'Tag'}
          placeholder={draft.by === 'rule' ? '942100' : 'attack-sqli'}
          required
          value={draft.which}
          error={wrong('which')}
          onChange={(event) => set({ which: event.currentTarget.value })}
        />
        <TextInput
          {...PLAIN}
          label="Host name"
          placeholder="shop.example.net"
          required
          value={draft.host}
          error={wrong('host')}
          onChange={(event) => set({ host: event.currentTarget.value })}
        />
        <TextInput
          {...PLAIN}
          label="Path"
          placeholder="/search"
          required
          value={draft.path}
          error={wrong('path')}
          onChange={(event) => set({ path: event.currentTarget.value })}
        />
        <Select
          label="Part of the request"
          allowDeselect={false}
          data={PARTS}
          value={draft.part}
          onChange={(value) => set({ part: PARTS.find((one) => one.value === value)?.value ?? '' })}
        />
        {draft.part !== '' && isNamed(draft.part) && (
          <TextInput
            {...PLAIN}
            label="Called"
            placeholder="Each of them"
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        )}
      </div>
      <Checkbox
        mt="sm"
        label="Everything below the path too"
        checked={draft.below}
        onChange={(event) => set({ below: event.currentTarget.checked })}
      />
      <div className={classes.actions}>
        <Button size="xs" type="submit">
          Preview
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <div aria-live="polite">
        {previewed !== null && <Preview policy={policy} etag={etag} exclusion={previewed} onSaved={onClose} />}
      </div>
    </form>
  );
}

interface PreviewProps extends Omit<ExclusionFormProps, 'onClose'> {
  readonly exclusion: WafExclusionRules;
  readonly onSaved: () => void;
}

function Preview({ policy, etag, exclusion, onSaved }: PreviewProps) {
  const query = useRead('waf.replay', { params: { id: policy.id }, body: exclusion });
  return (
    <Loaded query={query}>
      {(replay) => (
        <>
          <Text size="sm" fw={500} mt="md">
            {exclusionWords(exclusion)}
          </Text>
          <ShownReplay replay={replay} />
          <Saving policy={policy} exclusion={exclusion} event={null} etag={etag} onSaved={onSaved} />
        </>
      )}
    </Loaded>
  );
}

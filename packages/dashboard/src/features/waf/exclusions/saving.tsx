import { Button, TextInput } from '@mantine/core';
import type { WafExclusionRules, WafPolicy } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { WafExclusionState } from '../../../ui/state.tsx';
import classes from '../waf.module.css';
import { exclusionWords, isSameExclusion } from '../waf-words.ts';

interface SavingProps {
  readonly policy: WafPolicy;
  readonly exclusion: WafExclusionRules;
  /** That it is proposed from. Null: it is written by hand. */
  readonly event: string | null;
  readonly etag: string | undefined;
  readonly onSaved?: () => void;
}

/** As a draft, or in force at once. */
export function Saving({ policy, exclusion, event, etag, onSaved }: SavingProps) {
  const mayWrite = useMay()('waf:write');
  const [note, setNote] = useState('');
  const confirm = useConfirm();
  const save = useAction('waf.exclude', { quiet: true, touches: ['audit', 'overview'], done: 'Exclusion saved' });
  const kept = policy.exclusions.find((one) => isSameExclusion(one, exclusion));
  if (kept !== undefined) {
    return (
      <div className={classes.head} style={{ marginTop: '0.5rem' }}>
        <WafExclusionState isDraft={kept.draft} />
        <span>
          of{' '}
          <AnchorLink to="/waf/$id" params={{ id: policy.id }}>
            {policy.name}
          </AnchorLink>
        </span>
      </div>
    );
  }
  if (!mayWrite) return null;
  const run = async (draft: boolean) => {
    const said = note.trim() === '' ? {} : { note: note.trim() };
    const ask = { title: 'Put the exclusion in force', consequence: exclusionWords(exclusion), action: 'Put in force' };
    if (!draft && !(await confirm(ask))) return;
    const from = event === null ? {} : { event };
    await save.run({ params: { id: policy.id }, body: { ...exclusion, ...said, ...from, draft }, if_match: etag });
    onSaved?.();
  };
  const shown = (settling: Promise<void>) => void settling.catch(() => undefined /* shown below, by `error` */);
  return (
    <>
      <TextInput
        label="Note"
        description="Why it is no attack. For those who look at the policy later."
        mt="sm"
        className={classes.readable}
        maxLength={500}
        value={note}
        onChange={(change) => setNote(change.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button size="xs" loading={save.isRunning} onClick={() => shown(run(true))}>
          Save as draft
        </Button>
        <Button size="xs" variant="default" loading={save.isRunning} onClick={() => shown(run(false))}>
          Put in force
        </Button>
      </div>
      {save.error !== null && <ProblemNotice error={save.error} />}
    </>
  );
}

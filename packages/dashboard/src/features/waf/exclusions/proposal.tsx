import { Alert, Button, Text, TextInput } from '@mantine/core';
import type { WafEvent, WafExclusionRules, WafPolicy, WafProposal } from '@meshwork/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { WafExclusionState } from '../../../ui/state.tsx';
import classes from '../waf.module.css';
import { exclusionWords, isSameExclusion } from '../waf-words.ts';
import { ShownReplay } from './replay.tsx';

/** From an event to the narrowest exclusions with which its request would have passed. */
export function Proposal({ event }: { readonly event: WafEvent }) {
  const [isAsked, setAsked] = useState(false);
  const query = useRead('waf.propose', { params: { id: event.id } }, { enabled: isAsked });
  return (
    <Section
      title="False positive?"
      description="Proposes the fewest and narrowest exclusions with which this request would have passed. Nothing is changed until you decide."
      actions={
        !isAsked && (
          <Button onClick={() => setAsked(true)} aria-label="Propose an exclusion">
            Propose an exclusion
          </Button>
        )
      }
    >
      {isAsked && (
        <div aria-live="polite">
          <Loaded query={query}>{(proposal) => <Proposed proposal={proposal} />}</Loaded>
        </div>
      )}
    </Section>
  );
}

function Proposed({ proposal }: { readonly proposal: WafProposal }) {
  const { event, policy, exclusions, replay, why_none } = proposal;
  const query = useRead('waf.show', { params: { id: policy } });
  if (exclusions.length === 0) {
    return (
      <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />} title="No exclusion helps">
        {why_none ?? 'No exclusion lets the request through.'}
      </Alert>
    );
  }
  return (
    <>
      <ul className={classes.lines}>
        {exclusions.map(({ replay: alone, ...exclusion }) => (
          <li key={exclusionWords(exclusion)}>
            <Text size="sm" fw={500}>
              {exclusionWords(exclusion)}
            </Text>
            <ShownReplay replay={alone} />
            <Loaded query={query}>
              {(shown, { etag }) => (
                <Saving policy={shown} exclusion={exclusion} event={event} etag={etag ?? undefined} />
              )}
            </Loaded>
          </li>
        ))}
      </ul>
      {exclusions.length > 1 && (
        <Text size="sm" mt="md" component="div">
          <b>All together:</b> <ShownReplay replay={replay} />
        </Text>
      )}
    </>
  );
}

interface SavingProps {
  readonly policy: WafPolicy;
  readonly exclusion: WafExclusionRules;
  readonly event: string;
  readonly etag: string | undefined;
}

function Saving({ policy, exclusion, event, etag }: SavingProps) {
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
    await save.run({ params: { id: policy.id }, body: { ...exclusion, ...said, event, draft }, if_match: etag });
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

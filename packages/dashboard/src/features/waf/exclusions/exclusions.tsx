import { Button, Text } from '@mantine/core';
import type { WafExclusion, WafPolicy } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useMay } from '../../../session/session.tsx';
import { Actor } from '../../../ui/actor.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { WafExclusionState } from '../../../ui/state.tsx';
import classes from '../waf.module.css';
import { exclusionWords, placeWords, rulesOf, rulesWords } from '../waf-words.ts';
import { ExclusionForm } from './exclusion-form.tsx';
import { Replay } from './replay.tsx';

interface ExclusionsProps {
  readonly policy: WafPolicy;
  readonly etag: string | undefined;
}

/** Where rules of the rule set do not look: drafts, which wait for a decision, and those in force. */
export function Exclusions({ policy, etag }: ExclusionsProps) {
  const mayWrite = useMay()('waf:write');
  const [isAdding, setAdding] = useState(false);
  const shown = policy.exclusions.toSorted((one, other) => Number(other.draft) - Number(one.draft));
  return (
    <Section
      title="Exclusions"
      description="Where rules of the rule set do not look. Drafts are not in force; an event proposes the narrowest ones."
      actions={
        mayWrite &&
        !isAdding && (
          <Button variant="default" onClick={() => setAdding(true)}>
            Add an exclusion
          </Button>
        )
      }
    >
      {isAdding && <ExclusionForm policy={policy} etag={etag} onClose={() => setAdding(false)} />}
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <ul className={classes.lines}>
          {shown.map((exclusion) => (
            <li key={exclusion.id}>
              <OneExclusion exclusion={exclusion} />
              {mayWrite && <Decisions policy={policy} exclusion={exclusion} etag={etag} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function OneExclusion({ exclusion }: { readonly exclusion: WafExclusion }) {
  const { draft, note, event, created_at, created_by } = exclusion;
  return (
    <>
      <div className={classes.head}>
        <WafExclusionState isDraft={draft} />
        <span>{exclusionWords(exclusion)}</span>
      </div>
      {note !== null && <Text size="sm">{note}</Text>}
      <span className={classes.below}>
        <Actor actor={created_by} />, <Ago at={created_at} />
        {event !== null && (
          <>
            {', from '}
            <AnchorLink to="/waf/events/$id" params={{ id: event }}>
              an event
            </AnchorLink>
          </>
        )}
      </span>
    </>
  );
}

const TOUCHES = ['audit', 'overview'];

interface DecisionsProps extends ExclusionsProps {
  readonly exclusion: WafExclusion;
}

function Decisions({ policy, exclusion, etag }: DecisionsProps) {
  const enforce = useAction('waf.enforce', { touches: TOUCHES, done: 'Exclusion put in force' });
  const include = useAction('waf.include', { touches: TOUCHES, done: 'Exclusion removed' });
  const confirm = useConfirm();
  const request = { params: { id: policy.id, exclusion: exclusion.id }, if_match: etag };
  const replay = <Replay policy={policy.id} exclusion={rulesOf(exclusion)} />;
  const named = `${rulesWords(exclusion)} at ${placeWords(exclusion)}`;

  const settleEnforce = async () => {
    const ask = { title: 'Put the exclusion in force', consequence: exclusionWords(exclusion), action: 'Put in force' };
    if (await confirm({ ...ask, extra: replay })) await enforce.run(request);
  };
  const settleRemove = async () => {
    const consequence = exclusion.draft
      ? 'The draft is lost. Nothing changes on gateways.'
      : `${rulesWords(exclusion)} look there again. What the exclusion let through may be refused:`;
    const ask = { title: 'Remove the exclusion', consequence, action: 'Remove', danger: true };
    if (await confirm({ ...ask, ...(exclusion.draft ? {} : { extra: replay }) })) await include.run(request);
  };
  const shown = (settling: Promise<void>) => void settling.catch(() => undefined /* shown by the action */);
  return (
    <div className={classes.actions}>
      {exclusion.draft && (
        <Button
          size="xs"
          loading={enforce.isRunning}
          aria-label={`Put in force: ${named}`}
          onClick={() => shown(settleEnforce())}
        >
          Put in force
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        loading={include.isRunning}
        aria-label={`Remove: ${named}`}
        onClick={() => shown(settleRemove())}
      >
        Remove
      </Button>
    </div>
  );
}

import { Alert, Button, Text } from '@mantine/core';
import type { WafEvent, WafProposal } from '@meshwork/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';
import { exclusionWords } from '../waf-words.ts';
import { ShownReplay } from './replay.tsx';
import { Saving } from './saving.tsx';

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

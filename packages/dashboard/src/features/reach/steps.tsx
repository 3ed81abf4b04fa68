import { Text } from '@mantine/core';
import type { ExplainCheck, Explanation, ExplanationStep } from '@meshwork/contract';
import { type Icon, IconCheck, IconExclamationMark, IconQuestionMark, IconX } from '@tabler/icons-react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './steps.module.css';

const CHECKS: Readonly<Record<ExplainCheck, string>> = {
  source: 'Source',
  destination: 'Destination',
  name: 'Name',
  boundary: 'Boundary',
  grant: 'Grant',
  route: 'Route',
  firewall: 'Firewall',
  underlay: 'Underlay',
  host: 'Host',
  service: 'Service',
  applied: 'Applied',
  path: 'Path',
  relay: 'Relay',
  link: 'Link',
  certificate: 'Certificate',
};

const OUTCOMES: Readonly<Record<ExplanationStep['outcome'], { readonly icon: Icon; readonly word: string }>> = {
  pass: { icon: IconCheck, word: 'Passes' },
  fail: { icon: IconX, word: 'Fails' },
  unknown: { icon: IconQuestionMark, word: 'Unknown' },
  note: { icon: IconExclamationMark, word: 'Note' },
};

export function Steps({ explanation }: { readonly explanation: Explanation }) {
  return (
    <ol className={classes.steps}>
      {explanation.steps.map((step) => {
        const { icon: Shown, word } = OUTCOMES[step.outcome];
        return (
          <li key={`${step.check} ${step.detail}`} className={classes.step} data-outcome={step.outcome}>
            <span className={classes.mark}>
              <Shown size={14} stroke={3} aria-hidden />
            </span>
            <div className={classes.words}>
              <div className={classes.head}>
                <span className={classes.check}>{CHECKS[step.check]}</span>
                <span className={classes.outcome}>{word}</span>
                <MoreOf step={step} explanation={explanation} />
              </div>
              <Text size="sm" className={classes.detail}>
                {step.detail}
              </Text>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Where to read on about what was looked at. */
function MoreOf({
  step,
  explanation: { from, to },
}: {
  readonly step: ExplanationStep;
  readonly explanation: Explanation;
}) {
  switch (step.check) {
    case 'source':
      return from.id === null ? null : <NodeLink id={from.id} name={from.name} />;
    case 'destination':
      return to.id === null ? null : <NodeLink id={to.id} name={to.name} />;
    case 'grant':
      return (
        <AnchorLink to="/access" size="xs">
          Policy
        </AnchorLink>
      );
    case 'firewall':
      return (
        <AnchorLink to="/firewall" size="xs">
          Host rules
        </AnchorLink>
      );
    default:
      return null;
  }
}

function NodeLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <AnchorLink to="/nodes/$id" params={{ id }} size="xs">
      {name}
    </AnchorLink>
  );
}

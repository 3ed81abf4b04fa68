import { Switch } from '@mantine/core';
import type { FirewallFinding, FirewallRule } from '@meshwork/contract';
import { memo } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { Findings } from './findings.tsx';
import { ACTION_LOOKS } from './looks.ts';
import { type RowChange, RuleMenu } from './rule-menu.tsx';
import classes from './rule-row.module.css';
import { ruleWords } from './rule-words.ts';

export interface RuleContentProps {
  readonly rule: FirewallRule;
  /** From 0, as arranged. */
  readonly place: number;
  /** How many rules there are. */
  readonly count: number;
  readonly findings: readonly FirewallFinding[];
  readonly isMoved: boolean;
  readonly readOnly: boolean;
  readonly onChange: (rule: FirewallRule, place: number, change: RowChange) => void;
}

/** In a preview rules are called by their place, not by their id. */
const NO_IDS: readonly string[] = [];

/** The content of a row. Rendered again only when it changes: while a rule is dragged, every row moves. */
export const RuleContent = memo(function RuleContent(props: RuleContentProps) {
  const { rule, place, count, findings, isMoved, readOnly, onChange } = props;
  const change = (wanted: RowChange) => onChange(rule, place, wanted);
  return (
    <>
      <span className={classes.place} title={isMoved ? 'New position, not saved' : undefined}>
        {place + 1}
        {isMoved && <span className={classes.moved}> moved</span>}
      </span>
      <div className={classes.words}>
        <div className={classes.meaning}>
          <Badge {...ACTION_LOOKS[rule.action]} />
          <span className={classes.sentence}>{ruleWords(rule)}</span>
        </div>
        <div className={classes.nodes}>
          <span className={classes.dimmed}>On</span> <Tags tags={rule.nodes} />
        </div>
        {rule.note !== null && <div className={classes.note}>{rule.note}</div>}
        <Findings findings={findings} order={NO_IDS} />
      </div>
      <div className={classes.controls}>
        {readOnly ? (
          !rule.enabled && <span className={classes.dimmed}>Disabled</span>
        ) : (
          <>
            <Switch
              size="xs"
              label={rule.enabled ? 'Enabled' : 'Disabled'}
              aria-label={`Rule ${place + 1} is ${rule.enabled ? 'enabled' : 'disabled'}`}
              checked={rule.enabled}
              onChange={(event) => change({ kind: 'enable', enabled: event.currentTarget.checked })}
            />
            <RuleMenu place={place} count={count} onChange={change} />
          </>
        )}
      </div>
    </>
  );
});

import type { FirewallFinding } from '@meshwork/contract';
import { Badge } from '../../../ui/badge.tsx';
import classes from './findings.module.css';
import { FINDING_LOOKS } from './looks.ts';
import { withPlaces } from './rule-words.ts';

interface FindingsProps {
  readonly findings: readonly FirewallFinding[];
  /** Ids in their order, so that a rule can be called by its place. */
  readonly order: readonly string[];
}

/** The findings about rules, each with its reason. */
export function Findings({ findings, order }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.findings}>
      {findings.map(({ kind, rule, by, detail, nodes }) => (
        <li key={`${kind} ${rule} ${by} ${detail}`} className={classes.finding}>
          <Badge {...FINDING_LOOKS[kind]} />
          <span className={classes.detail}>
            {withPlaces(detail, order)}
            {nodes > 0 && ` On ${nodes} ${nodes === 1 ? 'node' : 'nodes'}.`}
          </span>
        </li>
      ))}
    </ul>
  );
}

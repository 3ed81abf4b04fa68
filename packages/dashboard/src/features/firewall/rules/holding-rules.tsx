import type { FirewallRule } from '@meshwork/contract';
import { useList } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import classes from './holding-rules.module.css';
import { ACTION_LOOKS } from './looks.ts';
import { ruleWords } from './rule-words.ts';

/** Rules that hold for a node, in order, each leading to its place in the list of all. */
export function HoldingRules({ ids }: { readonly ids: readonly string[] }) {
  const list = useList('firewall.list');
  const byId = new Map(list.items.map((rule) => [rule.id, rule]));
  return (
    <ol className={classes.rules}>
      {ids.map((id) => (
        <li key={id}>
          <HoldingRule id={id} rule={byId.get(id)} />
        </li>
      ))}
    </ol>
  );
}

/** One that is not on the first page of the list is still known by its id. */
function HoldingRule({ id, rule }: { readonly id: string; readonly rule: FirewallRule | undefined }) {
  return (
    <span className={classes.rule}>
      {rule !== undefined && <Badge {...ACTION_LOOKS[rule.action]} />}
      <AnchorLink to="/firewall" search={{ rule: id }} size="sm" className={classes.words}>
        {rule === undefined ? id : ruleWords(rule)}
      </AnchorLink>
      {rule?.note !== null && rule?.note !== undefined && <span className={classes.note}>{rule.note}</span>}
    </span>
  );
}

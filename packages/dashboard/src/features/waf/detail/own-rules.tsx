import type { WafPolicy } from '@meshwork/contract';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';
import { ruleWords } from '../waf-words.ts';

/** Rules of the operator. Where there are none, there is no such section. */
export function OwnRules({ policy: { rules } }: { readonly policy: WafPolicy }) {
  if (rules.length === 0) return null;
  return (
    <Section title="Rules of your own" description="They run in this order, before those of the rule set.">
      <ol className={classes.lines}>
        {rules.map((rule) => (
          <li key={rule.name}>
            {rule.name}
            <span className={classes.below}>{ruleWords(rule)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

import { Button, Text } from '@mantine/core';
import type { WafExclusionRules, WafMatch, WafTested } from '@meshwork/contract';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/section.tsx';
import { WafVerdict } from '../../../ui/state.tsx';
import { Matches } from '../events/matches.tsx';
import classes from '../waf.module.css';
import { isOfRuleSet, VERDICT_HELP } from '../waf-words.ts';

interface VerdictProps {
  readonly tested: WafTested;
  /** Where the request went. */
  readonly place: { readonly host: string; readonly path: string };
  /** Tries the same request with one more exclusion. */
  readonly onExclude: (exclusion: WafExclusionRules) => void;
}

/** What came of a request on the test bench. */
export function Verdict({ tested, place, onExclude }: VerdictProps) {
  const { verdict, status, score_in, matches, matches_left_out, gateway, rule_set } = tested;
  const excludable = matches.filter(({ rule, name, counts }) => name === null && counts && isOfRuleSet(rule));
  return (
    <>
      <Section title="Verdict">
        <div className={classes.head} aria-live="polite">
          <WafVerdict verdict={verdict} />
          <span>{VERDICT_HELP[verdict]}</span>
        </div>
        <Facts
          items={[
            { label: 'Answer', value: status === 200 ? '200: it would have reached the service' : String(status) },
            { label: 'Score', value: score_in },
            { label: 'Gateway', value: gateway },
            { label: 'Rule set', value: rule_set },
          ]}
        />
        {excludable.length > 0 && (
          <div>
            <Text size="sm">Try it again with an exclusion for</Text>
            <div className={classes.actions}>
              {excludable.map((match) => (
                <Button
                  key={`${match.rule} ${match.parameter?.part} ${match.parameter?.name}`}
                  size="xs"
                  variant="default"
                  onClick={() => onExclude(exclusionFor(match, place))}
                >
                  rule {match.rule}
                </Button>
              ))}
            </div>
          </div>
        )}
      </Section>
      <Matches matches={matches} left_out={matches_left_out} />
    </>
  );
}

function exclusionFor({ rule, parameter }: WafMatch, { host, path }: VerdictProps['place']): WafExclusionRules {
  return { rule, tag: null, host, path, below: false, parameter };
}

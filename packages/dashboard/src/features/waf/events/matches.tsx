import { Text } from '@mantine/core';
import type { WafMatch } from '@meshwork/contract';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { plural } from '../../../ui/plural.ts';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';
import { isOfRuleSet, parameterWords } from '../waf-words.ts';

interface MatchesProps {
  readonly matches: readonly WafMatch[];
  /** How many more there were. */
  readonly left_out: number;
}

/** Each rule that matched, and what it found where. */
export function Matches({ matches, left_out }: MatchesProps) {
  return (
    <Section title="Rules that matched">
      {matches.length === 0 ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <ol className={classes.lines}>
          {matches.map((match, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule may match twice, and the list does not change
            <li key={`${match.rule} ${index}`}>
              <OneMatch match={match} />
            </li>
          ))}
        </ol>
      )}
      {left_out > 0 && (
        <Text size="sm" c="dimmed">
          {plural(left_out, 'further match', 'further matches')} not named.
        </Text>
      )}
    </Section>
  );
}

function OneMatch({ match }: { readonly match: WafMatch }) {
  const { rule, name, message, severity, score, paranoia, counts, parameter, fragment, tags } = match;
  return (
    <>
      <div className={classes.head}>
        <AnchorLink to="/waf/events" search={{ rule: String(rule) }}>
          {name ?? (isOfRuleSet(rule) ? `Rule ${rule}` : 'The policy itself')}
        </AnchorLink>
        <span>{message}</span>
      </div>
      <span className={classes.below}>
        {severity}, {plural(score, 'point')}
        {paranoia > 0 && `, paranoia level ${paranoia}`}
        {!counts && ', not counted: it is above the level that blocks'}
      </span>
      <Text size="sm" mt={4}>
        {parameter === null ? 'Found in no part that an exclusion can name:' : `Found in ${parameterWords(parameter)}:`}
      </Text>
      {fragment === null ? (
        <Text size="sm" c="dimmed">
          Not recorded: it may be a secret.
        </Text>
      ) : (
        <code className={classes.fragment}>{fragment}</code>
      )}
      {tags.length > 0 && <span className={classes.below}>{tags.join(', ')}</span>}
    </>
  );
}

import { Text, UnstyledButton } from '@mantine/core';
import type { WafSummary } from '@meshwork/contract';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';
import { isOfRuleSet } from '../waf-words.ts';
import type { Change } from './event-filters.tsx';

interface TopsProps {
  readonly summary: WafSummary;
  readonly change: Change;
}

type Item = WafSummary['rules'][number];

/** What was found most often. A rule and an address narrow the events when they are chosen. */
export function Tops({ summary, change }: TopsProps) {
  const { rules, addresses, places } = summary;
  return (
    <div className={classes.tops}>
      <Top
        title="Rules"
        items={rules}
        of={({ value, label }) => (isOfRuleSet(Number(value)) ? `Rule ${value}` : label)}
        choose={({ value }) => change({ rule: value })}
      />
      <Top title="Addresses" items={addresses} choose={({ value }) => change({ address: value })} />
      <Top title="Places" items={places} />
    </div>
  );
}

interface TopProps {
  readonly title: string;
  readonly items: readonly Item[];
  readonly of?: (item: Item) => string;
  readonly choose?: (item: Item) => void;
}

function Top({ title, items, of = ({ label }) => label, choose }: TopProps) {
  return (
    <Section title={`Top ${title.toLowerCase()}`}>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <ol className={classes.lines} style={{ gap: 0 }} data-plain>
          {items.map((item) => (
            <li key={item.value} style={{ border: 0, padding: 0 }}>
              {choose === undefined ? (
                <span className={classes.top}>
                  <Words item={item} of={of} />
                </span>
              ) : (
                <UnstyledButton className={classes.top} onClick={() => choose(item)}>
                  <Words item={item} of={of} />
                </UnstyledButton>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Words({ item, of }: { readonly item: Item; readonly of: (item: Item) => string }) {
  const name = of(item);
  return (
    <>
      <span className={classes.topName}>
        {name}
        {item.label !== name && <span className={classes.below}>{item.label}</span>}
      </span>
      <span className={classes.topCount}>{(item.blocked + item.detected + item.scored).toLocaleString()}</span>
    </>
  );
}

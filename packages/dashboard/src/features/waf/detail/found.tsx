import { Text } from '@mantine/core';
import type { WafPolicy } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/section.tsx';
import { Trend } from '../events/trend.tsx';
import { LOOK_EVERY_MS } from '../waf-words.ts';

/** What the policy found in the last day. */
export function Found({ policy: { id, mode } }: { readonly policy: WafPolicy }) {
  const query = useRead('waf.summary', { query: { policy: id } }, { every_ms: LOOK_EVERY_MS });
  return (
    <Section
      title="Last 24 hours"
      actions={
        <AnchorLink to="/waf/events" search={{ policy: id }} size="sm">
          All events
        </AnchorLink>
      }
    >
      {mode === 'off' && (
        <Text size="sm" c="dimmed">
          The policy is off: nothing new is found.
        </Text>
      )}
      <Loaded query={query}>{(summary) => <Trend summary={summary} />}</Loaded>
    </Section>
  );
}

import { List, Text } from '@mantine/core';
import type { Policy } from '@meshwork/contract';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';

/** Grants whose time is over. They stand in the text and count for nothing. */
export function LapsedGrants({ policy: { lapsed, document } }: { readonly policy: Policy }) {
  if (lapsed.length === 0) return null;
  return (
    <Section title="Expired grants" description="They have no effect and can be removed.">
      <List size="sm">
        {lapsed.map((place) => {
          const grant = document.grants?.[place];
          return grant === undefined ? null : (
            <List.Item key={place}>
              <Text span inherit ff="monospace">
                {grant.from} -&gt; {grant.to}
              </Text>
              {grant.expires !== undefined && (
                <>
                  , <Moment at={grant.expires} />
                </>
              )}
            </List.Item>
          );
        })}
      </List>
    </Section>
  );
}

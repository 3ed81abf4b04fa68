import { Button, Group, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useList } from '../../api/queries.ts';
import { TokenLines } from '../../mesh/token-lines.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';

/** What was created or last rotated with the token, whatever became of it. */
export function TokenChildren({ token }: { readonly token: Token }) {
  const children = useList('tokens.list', { query: { parent: token.id } });
  return (
    <Section
      title="Tokens created with it"
      description="Created or last rotated with this token. They cannot have more permissions, and do not outlive it unless its role has tokens:outlive."
    >
      {children.error !== null && <ProblemNotice error={children.error} onRetry={children.again} />}
      {!children.isLoading && children.error === null && children.items.length === 0 && <Text c="dimmed">None.</Text>}
      {children.items.length > 0 && <TokenLines tokens={children.items} label="Tokens created with it" />}
      {children.hasMore && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={children.more}>
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}

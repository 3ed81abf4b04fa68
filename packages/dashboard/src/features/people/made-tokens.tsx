import { List, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { coordinator } from '../../api/clients.ts';
import { useMay } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { TokenState } from '../../ui/state.tsx';

/** The tokens that somebody made and that still work: all of them, for a token is nobody's and goes on when its maker is gone. */
export function useMadeTokens(user: string): UseQueryResult<readonly Token[]> {
  const permitted = useMay()('tokens:read');
  return useQuery({
    // Of the area `tokens`, so that events and actions have it read anew.
    queryKey: ['tokens.list', 'made by', user],
    enabled: permitted,
    queryFn: async ({ signal }) => {
      const found: Token[] = [];
      for await (const token of coordinator.pages('tokens.list', { query: { made_by: user, limit: 200 }, signal })) {
        if (token.state === 'active' || token.state === 'retiring') found.push(token);
      }
      return found;
    },
  });
}

export function MadeTokens({ user }: { readonly user: string }) {
  const { data, error, refetch } = useMadeTokens(user);
  if (!useMay()('tokens:read')) return null;
  return (
    <Section
      title="Tokens"
      description="Those that they made, also with a token they made, and that still work. They go on when the person is gone."
    >
      {error !== null && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">None.</Text>}
      <List listStyleType="none" spacing="xs" size="sm">
        {data?.map(({ id, name, role, state }) => (
          <List.Item key={id}>
            <AnchorLink to="/tokens/$id" params={{ id }} fw={500}>
              {name}
            </AnchorLink>{' '}
            {role} <TokenState state={state} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

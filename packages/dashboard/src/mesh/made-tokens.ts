import type { Token } from '@meshwork/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { coordinator } from '../api/clients.ts';
import { useMay } from '../session/session.tsx';

/** All tokens that still work and that a person or a token made, also through tokens that they made. */
export function useMadeTokens(maker: string, enabled = true): UseQueryResult<readonly Token[]> {
  const permitted = useMay()('tokens:read');
  return useQuery({
    // Of the area `tokens`, so that events and actions invalidate it.
    queryKey: ['tokens.list', 'made by', maker],
    enabled: permitted && enabled,
    queryFn: async ({ signal }) => {
      const found: Token[] = [];
      for await (const token of coordinator.pages('tokens.list', { query: { made_by: maker, limit: 200 }, signal })) {
        if (token.state !== 'expired' && token.state !== 'revoked') found.push(token);
      }
      return found;
    },
  });
}

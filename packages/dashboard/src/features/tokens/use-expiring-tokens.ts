import type { Token } from '@meshwork/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { coordinator } from '../../api/clients.ts';
import { isExpiring } from './is-expiring.ts';

/** Those that will soon stop working, the next to end first. All active ones are looked at: the list is by age alone. */
export function useExpiringTokens(): UseQueryResult<readonly Token[]> {
  return useQuery({
    // Of the area `tokens`, so that events and actions have it read anew.
    queryKey: ['tokens.list', 'expiring'],
    queryFn: async ({ signal }) => {
      const found: Token[] = [];
      for await (const token of coordinator.pages('tokens.list', { query: { state: 'active', limit: 200 }, signal })) {
        if (isExpiring(token, Date.now())) found.push(token);
      }
      return found.sort((a, b) => Date.parse(a.expires) - Date.parse(b.expires));
    },
  });
}

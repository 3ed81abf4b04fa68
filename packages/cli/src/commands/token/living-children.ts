import { ApiError, type Client } from '@meshwork/client';
import type { Token } from '@meshwork/contract';

/** What a token made, also through others, and still works. Undefined: the caller may revoke tokens, but not read them. */
export async function livingChildren(client: Client, id: string): Promise<readonly Token[] | undefined> {
  const living: Token[] = [];
  try {
    for await (const token of client.pages('tokens.list', { query: { made_by: id, limit: 200 } })) {
      if (token.state !== 'expired' && token.state !== 'revoked') living.push(token);
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'permission_denied') return undefined;
    throw error;
  }
  return living;
}

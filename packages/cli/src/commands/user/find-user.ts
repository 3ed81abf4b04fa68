import { isId, type User } from '@meshwork/contract';
import type { AnyClient } from '../../derived/command-words.ts';
import { Failure } from '../../failure.ts';

/** The id of a person who was named by their id or by what they sign in with. */
export async function findUser(panel: AnyClient, text: string): Promise<string> {
  if (isId('user', text)) return text;
  for await (const user of panel.pages('users.list', { query: { q: text.slice(0, 100), limit: 200 } })) {
    const { id, name } = user as User;
    if (name === text) return id;
  }
  throw new Failure(`there is no user "${text}"`, {
    exit: 'not_found',
    code: 'not_found',
    hint: '`mesh user list` shows those that this token may see',
  });
}

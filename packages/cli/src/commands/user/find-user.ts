import type { PanelClient } from '@meshwork/client';
import { isId } from '@meshwork/contract';
import { Failure } from '../../failure.ts';

/** The id of a person who was named by their id or by what they sign in with. */
export async function userIdOf(panel: PanelClient, text: string): Promise<string> {
  if (isId('user', text)) return text;
  for await (const user of panel.pages('users.list', { query: { q: text.slice(0, 100), limit: 200 } })) {
    if (user.name === text) return user.id;
  }
  throw new Failure(`there is no user "${text}"`, {
    exit: 'not_found',
    code: 'not_found',
    hint: '`mesh user list` shows those that this token may see',
  });
}

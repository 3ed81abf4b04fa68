import type { Client } from '@meshwork/client';
import { isId } from '@meshwork/contract';
import { Failure } from '../../failure.ts';

/** The id of a node that was named by its id or by its name. */
export async function nodeIdOf(client: Client, text: string): Promise<string> {
  if (isId('node', text)) return text;
  for await (const node of client.pages('nodes.list', { query: { q: text, limit: 200 } })) {
    if (node.name === text) return node.id;
  }
  throw new Failure(`there is no node "${text}"`, {
    exit: 'not_found',
    code: 'not_found',
    hint: '`mesh node list` shows those that this token may see',
  });
}

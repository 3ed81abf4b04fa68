import type { Client } from '@meshwork/client';
import { isId } from '@meshwork/contract';
import { Failure } from '../../failure.ts';

/** The id of an ingress that was named by its id or by its name. */
export async function ingressIdOf(client: Client, text: string): Promise<string> {
  if (isId('ingress', text)) return text;
  for await (const ingress of client.pages('ingress.list', { query: { limit: 200 } })) {
    if (ingress.name === text) return ingress.id;
  }
  throw new Failure(`there is no ingress "${text}"`, {
    exit: 'not_found',
    code: 'not_found',
    hint: '`mesh ingress list` shows those that this token may see',
  });
}

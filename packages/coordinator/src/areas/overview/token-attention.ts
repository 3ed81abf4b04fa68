import { type Attention, covers } from '@meshwork/contract';
import { isExpiringSoon, speaksForPerson } from '../../access/token-state.ts';
import type { Facts } from './facts.ts';

export function* expiringTokens({ model, actor, now_ms }: Facts): Generator<Attention> {
  for (const { id, body } of model.all('token')) {
    if (speaksForPerson(body) || !covers(actor.scope, body.scope) || !isExpiringSoon(body, now_ms)) continue;
    yield {
      kind: 'token_expiring',
      severity: 'warning',
      subject: { kind: 'token', id, name: body.name },
      title: `The token ${body.name} expires soon`,
      detail: `It is good until ${body.expires}, and whatever uses it stops working then.`,
      since: body.expires,
      fix: 'Rotate it and give its holder the new secret, or revoke it when nobody needs it.',
    };
  }
}

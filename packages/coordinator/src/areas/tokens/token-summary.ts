import { type Attention, covers } from '@meshwork/contract';
import { shownState } from '../../access/shown-state.ts';
import { actsForPerson, isExpiringSoon } from '../../access/token-state.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';

export const tokenSummary: Summarizes = {
  permitted_by: 'tokens.list',
  summarize: (facts) => ({ figures: { tokens: countTokens(facts) }, attention: expiringTokens(facts) }),
};

function countTokens({ model, actor, now_ms }: Facts): Figures['tokens'] {
  let [active, expiring] = [0, 0];
  for (const token of model.all('token')) {
    const { body } = token;
    if (actsForPerson(body) || !covers(actor.scope, body.scope)) continue;
    if (shownState(model, token, now_ms) === 'active') active += 1;
    if (isExpiringSoon(body, now_ms)) expiring += 1;
  }
  return { active, expiring };
}

function* expiringTokens({ model, actor, now_ms }: Facts): Generator<Attention> {
  for (const { id, body } of model.all('token')) {
    if (actsForPerson(body) || !covers(actor.scope, body.scope) || !isExpiringSoon(body, now_ms)) continue;
    yield {
      kind: 'token_expiring',
      severity: 'warning',
      subject: { kind: 'token', id, name: body.name },
      title: `Token ${body.name} expires soon`,
      detail: `It expires at ${body.expires}. Whatever uses it stops working then.`,
      since: body.expires,
      fix: 'Rotate it and hand the new secret to its holder, or revoke it if it is no longer needed.',
    };
  }
}

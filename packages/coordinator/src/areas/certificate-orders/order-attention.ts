import { type Attention, covers, utc } from '@meshwork/contract';
import type { Stored } from '../../mesh/model.ts';
import type { Facts, Summarizes } from '../summary.ts';

const HOUR_MS = 3_600_000;
/** Ours: a certificate that ends within this, or within the last third of a shorter life, and is not renewed. */
const LAST_MS = 7 * 86_400_000;

/** Orders that fail, and those whose certificate is missing for long or about to end. */
export function orderAttention(): Summarizes {
  return { permitted_by: 'certificate_orders.list', summarize: (facts) => ({ attention: attentionTo(facts) }) };
}

function* attentionTo(facts: Facts): Generator<Attention> {
  for (const order of facts.model.all('certificate_order')) {
    if (order.body.unneeded_since !== null || !covers(facts.actor.scope, order.body.scope)) continue;
    const one = about(order, facts);
    if (one !== undefined) yield one;
  }
}

function about({ id, body }: Stored<'certificate_order'>, { model, now_ms }: Facts): Attention | undefined {
  const { hostname, state, attempts, problem, next_at } = body;
  const name = model.get('outside_authority', body.authority)?.body.name ?? body.authority;
  const given = model.get('given_certificate', id)?.body;
  const subject = { kind: 'certificate_order', id, name: hostname } as const;
  const fix = `See what is wrong, mend it, and run: mesh ingress order retry ${hostname}`;
  const why = problem === null ? 'It says nothing of a reason.' : `${name}: ${problem}.`;
  const next = next_at === null || state !== 'failing' ? '' : ` It is tried again at ${next_at}.`;
  if (given === undefined) {
    const since = Date.parse(body.created_at);
    if (now_ms - since > HOUR_MS) {
      const title = `${hostname} has no certificate from ${name} yet`;
      const detail = `${attempts === 0 ? 'No attempt was made, or none has ended.' : why}${next}`;
      return {
        kind: 'certificate_order_overdue',
        severity: 'critical',
        subject,
        title,
        detail,
        since: utc(since),
        fix,
      };
    }
  } else {
    const end = Date.parse(given.not_after);
    const last = Math.min(LAST_MS, (end - Date.parse(given.not_before)) / 3);
    if (end - now_ms <= last && state !== 'issued') {
      const title = `The certificate of ${hostname} ends soon and is not renewed`;
      const kind = 'certificate_order_overdue';
      return { kind, severity: 'critical', subject, title, detail: `${why}${next}`, since: given.not_after, fix };
    }
  }
  if (state !== 'failing' && attempts === 0) return undefined;
  const title = `${given === undefined ? 'Getting' : 'Renewing'} the certificate of ${hostname} fails`;
  const detail = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. ${why}${next}`;
  return { kind: 'certificate_order_failing', severity: 'warning', subject, title, detail, since: null, fix };
}

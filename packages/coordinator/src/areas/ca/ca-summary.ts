import { type Attention, utc } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import { certificatesOf } from '../../mesh/node-certificates.ts';
import { isMember } from '../../mesh/node-state.ts';
import type { Facts, Summarizes } from '../summary.ts';
import { signingAuthority } from './authorities.ts';
import { overdueAt } from './lifetimes.ts';

/** A node that was just approved has this long to ask for its first certificate and to be given it. */
const FIRST_WITHIN_MS = 5 * 60_000;

export const caSummary: Summarizes = {
  permitted_by: 'ca.certificates',
  summarize: (facts) => ({ attention: overdue(facts) }),
};

/** Nodes that should have a certificate and have none, or one that is about to expire. A node that is overdue is named elsewhere. */
function* overdue(facts: Facts): Generator<Attention> {
  const { model, nodes } = facts;
  if (signingAuthority(model) === undefined) return;
  for (const { node } of nodes) {
    if (!isMember(node.body) || !carries(model, node.id, 'certificate')) continue;
    if (model.get('liveness', node.id) !== undefined) continue;
    const item = attentionTo(facts, node);
    if (item !== undefined) yield item;
  }
}

function attentionTo({ model, now_ms }: Facts, node: Stored<'node'>): Attention | undefined {
  const { id, body } = node;
  const { current, refused } = certificatesOf(model, id);
  const about = { kind: 'certificate_overdue', subject: { kind: 'node', id, name: body.name } } as const;
  const certificate = current === null ? undefined : model.get('certificate', current)?.body;
  const why = refused === null ? 'It has not sent a new certificate request.' : `Its request was refused: ${refused}`;
  const fix = 'Check the log of its agent; restarting it makes a new request.';
  if (certificate === undefined) {
    const since = Date.parse(body.approved_at ?? body.created_at);
    if (refused === null && now_ms - since < FIRST_WITHIN_MS) return undefined;
    const title = `${body.name} has no certificate`;
    return { ...about, severity: 'warning', title, detail: why, since: utc(since), fix };
  }
  const ends_ms = Date.parse(certificate.not_after);
  if (now_ms < overdueAt(certificate)) return undefined;
  const isOver = ends_ms <= now_ms;
  return {
    ...about,
    severity: isOver ? 'critical' : 'warning',
    title: `The certificate of ${body.name} ${isOver ? 'has expired' : 'is about to expire'}`,
    detail: `It ${isOver ? 'expired' : 'expires'} at ${certificate.not_after} and was not renewed. ${why}`,
    since: certificate.not_after,
    fix,
  };
}

import { type Attention, covers, utc, WHOLE_MESH } from '@meshwork/contract';
import { activeRoot, authoritiesOf, signingAuthority } from '../../issuing/authorities.ts';
import { overdueAt } from '../../issuing/lifetimes.ts';
import { carries } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import { certificatesOf, ROTATION_ID } from '../../mesh/node-certificates.ts';
import { isMember } from '../../mesh/node-state.ts';
import type { Facts, Summarizes } from '../summary.ts';
import { partOf } from './rotate-authorities.ts';

/** A node that was just approved has this long to ask for its first certificate and to be given it. */
const FIRST_WITHIN_MS = 5 * 60_000;

export const caSummary: Summarizes = {
  permitted_by: 'ca.certificates',
  summarize: (facts) => ({ attention: [...expiring(facts), ...overdue(facts)] }),
};

/** Authorities that sign and are about to expire: what they signed expires with them. */
function* expiring({ model, actor, now_ms }: Facts): Generator<Attention> {
  if (!covers(actor.scope, WHOLE_MESH)) return;
  const isOutside = activeRoot(model)?.body.key === null;
  for (const { id, body } of authoritiesOf(model)) {
    const { name, role, not_after, state } = body;
    const isByHand = isOutside && role === 'intermediate';
    // Where it is rotated by itself, it is late at five sixths of its life; else an operator has the last third.
    const isDue = partOf(body, isByHand && model.get('rotation', ROTATION_ID) === undefined ? 2 / 3 : 5 / 6) <= now_ms;
    if (state !== 'active' || !isDue) continue;
    const isOver = Date.parse(not_after) <= now_ms;
    yield {
      kind: 'authority_expiring',
      severity: isOver ? 'critical' : 'warning',
      subject: { kind: 'authority', id, name },
      title: `The ${role} of the mesh CA ${isOver ? 'has expired' : isByHand ? 'has to be replaced by hand' : 'is about to expire'}`,
      detail: `${name} ${isOver ? 'expired' : 'expires'} at ${not_after}, and every certificate under it with it.${isByHand ? ' The key of the root is kept outside, so that it is not replaced by itself.' : ''}`,
      since: not_after,
      fix: isByHand
        ? 'Have a new one signed with the key of the root. Start with: mesh ca request-intermediate.'
        : `Rotate the ${role}: mesh ca rotate --what ${role}.`,
    };
  }
}

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

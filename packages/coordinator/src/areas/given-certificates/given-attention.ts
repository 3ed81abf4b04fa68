import { type Attention, covers, utc } from '@meshwork/contract';
import { authorityOf, givenBy, isFor } from '../../mesh/given-certificates.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { placeOf } from '../../mesh/whole-ingress.ts';
import type { Facts, Summarizes } from '../summary.ts';
import { mayRead } from './find-given.ts';
import { endOf, stateOf } from './given-state.ts';

/** Given certificates that end soon or have ended, and ingresses that show one which clients refuse there. */
export function givenAttention(): Summarizes {
  return { permitted_by: 'given_certificates.list', summarize: (facts) => ({ attention: attentionTo(facts) }) };
}

function* attentionTo({ model, actor, now_ms }: Facts): Generator<Attention> {
  const used = new Set<string>();
  for (const ingress of model.all('ingress')) {
    const given = givenBy(ingress.body);
    if (given === undefined) continue;
    used.add(given);
    if (covers(actor.scope, ingress.body.scope)) yield* unfit(model, ingress, given);
  }
  for (const given of model.all('given_certificate')) {
    // What no ingress shows may end.
    if (used.has(given.id) && mayRead(actor.scope, given.body.scope)) yield* ending(model, given, now_ms);
  }
}

function* unfit(view: View, { id, body }: Stored<'ingress'>, given: string): Generator<Attention> {
  const certificate = view.get('given_certificate', given)?.body;
  if (certificate === undefined && authorityOf(body) !== undefined) return; // its order says what is wrong
  if (certificate !== undefined && isFor(certificate.names, body.hostname)) return;
  yield {
    kind: 'given_certificate_unfit',
    severity: 'critical',
    subject: { kind: 'ingress', id, name: body.name },
    title: `${placeOf(body)} has no certificate that is for it`,
    detail:
      certificate === undefined
        ? 'The given certificate that it names is gone.'
        : `The certificate "${certificate.name}" is for ${certificate.names.join(', ')}. Clients refuse it here.`,
    since: null,
    fix: `Give ${body.name} another certificate, or replace this one.`,
  };
}

function* ending(view: View, { id, body }: Stored<'given_certificate'>, now_ms: number): Generator<Attention> {
  const state = stateOf(body, now_ms);
  if (state === 'valid') return;
  const about = { subject: { kind: 'given_certificate', id, name: body.name } } as const;
  const names = body.names.slice(0, 3).join(', ');
  const more = body.names.length > 3 ? ` and ${body.names.length - 3} more names` : '';
  const order = view.get('certificate_order', id)?.body;
  const fix =
    order === undefined
      ? `Renew it with its issuer, and run: mesh ingress certificate set ${body.name}`
      : `See why its renewal fails: mesh ingress order show ${order.hostname}`;
  if (state === 'expiring') {
    yield {
      ...about,
      kind: 'given_certificate_expiring',
      severity: 'warning',
      title: `The certificate ${body.name} ends soon`,
      detail: `It is for ${names}${more}. Nothing has replaced it yet.`,
      since: utc(endOf(body)),
      fix,
    };
    return;
  }
  yield {
    ...about,
    kind: 'given_certificate_expired',
    severity: 'critical',
    title: `The certificate ${body.name} ${state === 'expired' ? 'has ended' : 'is not valid yet'}`,
    detail:
      state === 'expired'
        ? `It is for ${names}${more}. Clients refuse it.`
        : `It is for ${names}${more}. By the clock of the coordinator it begins later.`,
    since: state === 'expired' ? utc(endOf(body)) : body.not_before,
    fix,
  };
}

import { utc } from '@meshwork/contract';
import { AcmeFailure } from '../../acme-client/acme-failure.ts';
import type { Renewal } from '../../kinds/outside-authorities.ts';
import { COORDINATOR, refOf } from '../../mesh/actor.ts';
import { givenSealedFor } from '../../mesh/envelopes.ts';
import { factsOf } from '../../mesh/given-facts.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Issued } from './walk-order.ts';

const MAX_NAME = 63;

/** The certificate is a given one from here on: gateways are sent it, show it and prove it as any other. */
export async function keepIssued(mesh: Mesh, id: string, { read }: Issued, renewal: Renewal): Promise<void> {
  const key = mesh.seal(Buffer.from(read.private_key), givenSealedFor(id));
  await mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.issue' }, (tx) => {
    const order = tx.get('certificate_order', id)?.body;
    const authority = order && tx.get('outside_authority', order.authority)?.body;
    if (order === undefined || authority === undefined) throw new AcmeFailure('no ingress needs it any more');
    const at = utc(tx.now_ms);
    const { scope, hostname } = order;
    const before = tx.get('given_certificate', id)?.body;
    const name = hostname.replaceAll('.', '-').slice(0, MAX_NAME).replace(/-+$/, '');
    const { created_at = at, created_by = refOf(COORDINATOR) } = before ?? {};
    const made = { created_at, created_by, replaced_at: before === undefined ? null : at };
    tx.put('given_certificate', id, { name, scope, ...factsOf(read), key, ...made });
    tx.put('certificate_order', id, {
      ...order,
      state: 'issued',
      step: null,
      staging: false,
      attempts: 0,
      problem: null,
      next_at: null,
      url: null,
      key: null,
      issued_at: at,
      renewal_id: read.renewal_id,
      renewal,
    });
    const subject = { kind: 'given_certificate', id } as const;
    tx.record({ target: subject, scope, detail: `issued by ${authority.name} for ${hostname}` });
    const type = before === undefined ? 'given_certificate.created' : 'given_certificate.replaced';
    tx.emit({ type, subject, scope, data: { name } });
    tx.emit({
      type: 'certificate_order.issued',
      subject: { kind: 'certificate_order', id },
      scope,
      data: { hostname, authority: authority.name, not_after: utc(read.not_after_ms) },
    });
  });
}

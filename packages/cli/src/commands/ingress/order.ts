/** Certificates that outside authorities issue for host names of ingresses: how far each has come, and another attempt. */
import type { CertificateOrder } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export const order = noun({
  noun: 'order',
  under: 'ingress',
  areas: ['certificate_orders'],
  thing: 'order',
  watches: ['certificate_order', 'ingress'],
  records: { CertificateOrder: orderText },
  commands: {
    'certificate_orders.list': {
      parameters: {
        authority: { help: 'only those with this outside authority, by id or name', completes: 'authority' },
      },
      columns: [
        ['HOST NAME', ({ hostname }) => hostname],
        ['STATE', stateText],
        ['AUTHORITY', ({ authority }) => authority.name],
        ['ENDS', ({ not_after }) => not_after ?? '-'],
        ['NEXT', ({ next_at }) => next_at ?? '-'],
        ['PROBLEM', ({ problem }) => problem ?? '-'],
      ],
    },
    'certificate_orders.show': { arguments: ['id'] },
    'certificate_orders.retry': {
      description:
        'Try an order again now: one that failed, or one whose certificate has to be renewed before its time. Each certificate counts towards limits of the authority, so this can be done a few times an hour.',
      arguments: ['id'],
    },
  },
});

/** `under_way: challenge (staging)`. */
function stateText({ state, step, staging }: CertificateOrder): string {
  const where = step === null ? state : `${state}: ${step}`;
  return staging && state !== 'issued' ? `${where} (staging)` : where;
}

function orderText(order: CertificateOrder): string {
  const { authority, ingresses, problem, attempts, next_at, renewal, not_after, issued_at, state } = order;
  return fields([
    ['id', order.id],
    ['host name', order.hostname],
    ['state', stateText(order)],
    ...(problem === null ? [] : [['problem', problem] as const]),
    ...(attempts === 0 ? [] : [['attempts that failed', String(attempts)] as const]),
    ...(next_at === null || state === 'issued' ? [] : [['next attempt', when(next_at)] as const]),
    ['authority', `${authority.name} (${authority.id})`],
    ['ingresses', ingresses.map(({ name }) => name).join(', ') || 'none'],
    ['issued', issued_at === null ? 'not yet' : when(issued_at)],
    ...(not_after === null ? [] : [['ends', when(not_after)] as const]),
    ...(renewal === null ? [] : [['renewed', renewalText(renewal)] as const]),
    ['scope', scopeText(order.scope)],
    ['needed since', when(order.created_at)],
  ]);
}

function renewalText({ at, by, explanation_url }: NonNullable<CertificateOrder['renewal']>): string {
  const why = by === 'authority' ? 'as the authority asks' : 'after two thirds of its life';
  return `${when(at)}, ${why}${explanation_url === null ? '' : `: ${explanation_url}`}`;
}

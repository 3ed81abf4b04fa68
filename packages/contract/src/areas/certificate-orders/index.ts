/** Orders of certificates with outside authorities: one for each authority and host name that an ingress names. */
import { defineArea } from '../../area.ts';
import { maybe } from '../../maybe.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { Type } from '../../type.ts';
import { OUTSIDE_REF_PATTERN } from '../outside-authorities/outside-authority.ts';
import { CertificateOrder, exampleCertificateOrder } from './certificate-order.ts';
import { CERTIFICATE_ORDER_STATES } from './vocabulary.ts';

export { CertificateOrder } from './certificate-order.ts';

const byId = Type.Object({
  id: Type.String({ maxLength: 253, description: 'Id of the order, or its host name if no other has the same.' }),
});
const params = { id: exampleCertificateOrder.id };
const ofOrder = {
  hostname: Type.String({ description: 'The host name that it is for.' }),
  authority: Type.String({ description: 'Name of the outside authority.' }),
};

const certificateOrderOperations = defineOperations({
  'certificate_orders.list': {
    method: 'GET',
    path: '/v1/certificate-orders',
    summary: 'List certificate orders',
    permission: 'ingress:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      state: Type.Optional(Type.Enum(CERTIFICATE_ORDER_STATES, { description: 'Only those in this state.' })),
      authority: Type.Optional(
        Type.String({
          maxLength: 64,
          pattern: OUTSIDE_REF_PATTERN,
          description: 'Only those with this outside authority, by id or name.',
        }),
      ),
    }),
    answer: { status: 200, description: 'A page of orders.', schema: Page(CertificateOrder) },
    errors: [],
    example: { answer: { items: [exampleCertificateOrder], next_cursor: null } },
  },
  'certificate_orders.show': {
    method: 'GET',
    path: '/v1/certificate-orders/{id}',
    summary: 'Show a certificate order',
    permission: 'ingress:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The order.', schema: CertificateOrder },
    errors: [],
    example: { params, answer: exampleCertificateOrder },
  },
  'certificate_orders.retry': {
    method: 'POST',
    path: '/v1/certificate-orders/{id}/retry',
    summary: 'Try a certificate order again now',
    description:
      'For one that failed, or whose certificate has to be renewed before its time. Each certificate counts towards limits of the authority, so an order can be brought forward a few times an hour.',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The order, which is due now.', schema: CertificateOrder },
    errors: ['exceeds_own_rights', 'order_under_way'],
    example: {
      params,
      answer: { ...exampleCertificateOrder, state: 'waiting', next_at: null },
    },
  },
});

export const certificateOrdersArea = defineArea({
  name: 'certificate_orders',
  title: 'Certificate orders',
  description: 'Certificates that outside authorities issue for host names of ingresses, and how far each has come.',
  bounded: true,
  operations: certificateOrderOperations,
  events: {
    'certificate_order.created': {
      summary: 'An ingress needs a certificate of an outside authority',
      data: Strict(ofOrder),
    },
    'certificate_order.issued': {
      summary: 'An outside authority issued a certificate',
      data: Strict({ ...ofOrder, not_after: Timestamp('When it ends.') }),
    },
    'certificate_order.failed': {
      summary: 'An attempt to get a certificate failed',
      data: Strict({
        ...ofOrder,
        problem: Type.String({ description: 'Why, in words.' }),
        next_at: maybe(Timestamp('When it is tried next. Null: at once.')),
      }),
    },
    'certificate_order.retried': { summary: 'A certificate order was brought forward', data: Strict(ofOrder) },
    'certificate_order.deleted': { summary: 'No ingress needs a certificate order any more', data: Strict(ofOrder) },
  },
});

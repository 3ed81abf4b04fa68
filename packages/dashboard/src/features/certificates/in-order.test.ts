import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Certificate, exampleCertificate } from '@meshwork/contract';
import { inOrder } from './in-order.ts';

it('shows valid certificates first, the next to expire on top', () => {
  const certificate = (id: string, state: Certificate['state'], day: number): Certificate => ({
    ...exampleCertificate,
    ...{ id, state, not_after: `2026-12-0${day}T00:00:00Z` },
  });
  const listed = [
    certificate('a', 'expired', 1),
    certificate('b', 'valid', 9),
    certificate('c', 'revoked', 3),
    certificate('d', 'valid', 5),
  ];
  assert.deepEqual(
    inOrder(listed).map(({ id }) => id),
    ['d', 'b', 'c', 'a'],
  );
});

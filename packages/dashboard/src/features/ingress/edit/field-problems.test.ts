import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@meshwork/client';
import { DEFAULT_TRAFFIC } from '@meshwork/contract';
import { problemAt, RULE_POINTERS } from './field-problems.ts';

const refused = (code: string, errors: { pointer: string; detail: string }[] = []) =>
  new ApiError({
    ...{ status: 422, code, detail: 'No.', request_id: null, retryable: false },
    problem: { type: 'x', title: 'x', status: 422, code, detail: 'No.', request_id: 'x', errors } as never,
  });

test('a fault is shown at its field, and at the list that it is in', () => {
  const error = refused('invalid', [{ pointer: '/gateways/1', detail: 'is no selector' }]);
  assert.equal(problemAt(error, '/gateways'), 'is no selector');
  assert.equal(problemAt(error, '/gate'), null);
  assert.equal(problemAt(error, '/routes/0/path'), null);
  assert.equal(problemAt(new Error('away'), '/gateways'), null);
});

test('a host name that is taken or owned by others is said at the host name', () => {
  assert.equal(problemAt(refused('already_exists'), '/hostname'), 'No.');
  assert.equal(problemAt(refused('not_owner'), '/hostname'), 'No.');
  assert.equal(problemAt(refused('already_exists'), '/name'), null);
  const port = refused('already_exists', [{ pointer: '/port', detail: 'is taken' }]);
  assert.deepEqual([problemAt(port, '/port'), problemAt(port, '/hostname')], ['is taken', null]);
});

test('each rule on traffic stands where the API has it', () => {
  const inOrder = (record: object): readonly string[] =>
    Object.entries(record).flatMap(([name, value]) =>
      name === 'networks' || name === 'limits' ? Object.keys(value).map((inner) => `${name}/${inner}`) : [name],
    );
  const limits = { ...DEFAULT_TRAFFIC.limits, by: 'address' }; // where nothing is said, it is not there
  assert.deepEqual(Object.values(RULE_POINTERS), inOrder({ ...DEFAULT_TRAFFIC, limits }));
});

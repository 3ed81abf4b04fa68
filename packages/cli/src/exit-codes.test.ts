import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@meshwork/contract';
import { type Exit, exitOfStatus } from './exit-codes.ts';

test('every error of the API ends the program in one of the ways the help lists', () => {
  const expected: Partial<Record<Exit, ErrorCode[]>> = {
    refused: ERROR_CODES.filter((code) => [401, 403].includes(ERRORS[code].status)),
    not_found: ['not_found', 'route_not_found'],
    conflict: ERROR_CODES.filter((code) => [409, 412].includes(ERRORS[code].status)),
    usage: ERROR_CODES.filter((code) => ERRORS[code].status === 422),
    temporary: ERROR_CODES.filter((code) => ERRORS[code].retryable),
  };
  for (const code of ERROR_CODES) {
    const { status, retryable } = ERRORS[code];
    const [exit = 'failed'] = Object.entries(expected).find(([, codes]) => codes.includes(code)) ?? [];
    assert.equal(exitOfStatus(status, retryable), exit, code);
  }
});

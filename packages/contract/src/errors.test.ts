import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { ERROR_CODES, ERRORS } from './error-table.ts';
import { invalid, MeshError, Problem, problemType } from './errors.ts';
import { exampleProblem } from './openapi/example-problem.ts';

test('every 401 and 403 is audited, and of the rest only conflicts and faults can be', () => {
  for (const code of ERROR_CODES) {
    const { refusal, status } = ERRORS[code];
    if ([401, 403].includes(status)) assert.equal(refusal, true, code);
    else if (refusal) assert.ok([409, 422].includes(status), code);
  }
});

test('only what is temporary may be tried again', () => {
  for (const code of ERROR_CODES.filter((code) => ERRORS[code].retryable)) {
    assert.ok([429, 503].includes(ERRORS[code].status), code);
  }
  assert.equal(ERRORS.outcome_unknown.retryable, false, 'a blind retry could do it twice');
});

test('the table goes by status, so that every page shows it in that order', () => {
  const statuses = ERROR_CODES.map((code) => ERRORS[code].status);
  assert.deepEqual(
    statuses,
    statuses.toSorted((a, b) => a - b),
  );
});

test('every code has a title and says what to do about it', () => {
  for (const code of ERROR_CODES) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.match(ERRORS[code].title, /^[A-Z].*[^.]$/, code);
    assert.match(ERRORS[code].advice, /^[A-Z].*\.$/, code);
  }
});

test('every example of a problem is a problem, and leads to its own code', () => {
  for (const code of ERROR_CODES) {
    const problem = exampleProblem(code);
    assert.ok(Check(Problem, problem), code);
    assert.equal(problem.type, problemType(code));
    assert.equal(problem.status, ERRORS[code].status);
  }
});

test('an invalid field is named by its pointer, in the list and in the words', () => {
  const error = invalid('/scope/team', 'must be a name or *');
  assert.ok(error instanceof MeshError);
  assert.equal(error.code, 'invalid');
  assert.deepEqual(error.errors, [{ pointer: '/scope/team', detail: 'must be a name or *' }]);
  assert.match(error.message, /\/scope\/team must be a name/);
});

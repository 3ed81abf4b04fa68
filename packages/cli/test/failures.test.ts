import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problem, problemOf } from '@meshwork/client/testing';
import type { FieldError } from '@meshwork/contract';
import { EXIT_CODES } from '../src/exit-codes.ts';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

const MESH_TOKEN = 'mesh_test-token';

describe('what went wrong', { concurrency: 2 }, () => {
  it('is one line, the request id and what to try', async () => {
    await using server = await exampleServer({
      'self.whoami': (response) => problem(response, problemOf('token_expired')),
    });
    const { code, stdout, stderr } = await mesh(['whoami'], { env: { MESH_URL: server.url, MESH_TOKEN } });
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(
      stderr,
      /^mesh: a test wanted token_expired\nrequest id: req_test-1\ntry: .*`mesh token create`.*rotate.*\n$/,
    );
  });

  it('lists every field error, and has the problem as it came with --json', async () => {
    const errors = [
      { pointer: '/name', detail: 'is \u001b[31mtoo long' },
      { pointer: '/expires', detail: 'lies in the past' },
    ];
    const document = problemOf('invalid', 'Two fields are wrong.', { errors });
    await using server = await exampleServer({ 'tokens.create': (response) => problem(response, document) });
    const args = ['token', 'create', 'x', '--team', 'a', '--surface', 'b', '--environment', 'c', '--expires', '1d'];
    const env = { MESH_URL: server.url, MESH_TOKEN };
    const human = await mesh(args, { env });
    assert.deepEqual(human, {
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'mesh: Two fields are wrong.\n  <name> is too long\n  --expires lies in the past\nrequest id: req_test-1\n',
    });
    const machine = await mesh([...args, '--json'], { env });
    assert.deepEqual([machine.code, machine.stdout, JSON.parse(machine.stderr)], [2, '', document]);
  });

  it('speaks of flags, arguments and commands, and not of the API', async () => {
    const refusals: [detail: string, errors: object[], said: string][] = [
      [
        '/role "x" is not a role; GET /v1/auth/roles lists them',
        [{ pointer: '/role', detail: '"x" is not a role; GET /v1/auth/roles lists them' }],
        '--role "x" is not a role; `mesh role list` lists them',
      ],
      [
        '/scope/team must match ^[a-z]+$; /tags/0 is odd.',
        [
          { pointer: '/scope/team', detail: 'must match ^[a-z]+$' },
          { pointer: '/tags/0', detail: 'is odd' },
        ],
        '--team is not valid: team boundary: a name of lower-case letters, digits, dots, underscores and dashes, or * for all; --tag is odd.',
      ],
      ['The body must not be so.', [{ pointer: '', detail: 'must not be so' }], 'The request must not be so.'],
    ];
    const args = ['token', 'create', 'x', '--team', 'a', '--surface', 'b', '--environment', 'c', '--expires', '1d'];
    for (const [detail, errors, said] of refusals) {
      const document = problemOf('invalid', detail, { errors: errors as FieldError[] });
      await using server = await exampleServer({ 'tokens.create': (response) => problem(response, document) });
      const { stderr } = await mesh(args, { env: { MESH_URL: server.url, MESH_TOKEN } });
      assert.equal(stderr.split('\n')[0], `mesh: ${said}`);
      assert.doesNotMatch(stderr, /\/scope|\/tags|\/v1|body/);
    }
  });

  it('is unreachable when nothing listens, and asks whether it is running', async () => {
    // No port that was free a moment ago, which another test may have by now: this one is never given out.
    const { code, stderr } = await mesh(['whoami', '--url', 'http://127.0.0.1:2']);
    assert.equal(code, 6);
    assert.match(stderr, /^mesh: cannot reach http:\/\/127\.0\.0\.1:2: the connection was refused/);
    assert.match(stderr, /try: is it running\? `mesh up`/);
  });

  it('is wrong usage when the command line is wrong, and points to the help of that command', async () => {
    const typo = await mesh(['tokn']);
    assert.deepEqual([typo.code, typo.stdout], [2, '']);
    assert.equal(typo.stderr, "mesh: unknown command 'tokn' (Did you mean token?)\ntry: mesh --help\n");
    const missing = await mesh(['token', 'create', 'x', '--json']);
    const { code, detail } = JSON.parse(missing.stderr);
    assert.deepEqual([missing.code, missing.stdout, code], [2, '', 'usage']);
    assert.equal(
      detail,
      'missing --team <team>, --surface <surface>, --environment <environment> and --expires <when>',
    );
    const secret = await mesh(['--token', 'hunter2', 'whoami']);
    assert.equal(secret.stderr, "mesh: unknown flag '--token'\ntry: mesh --help\n");
  });

  it('is explained by the exit codes in the help', async () => {
    const { code, stdout } = await mesh(['--help']);
    assert.equal(code, 0);
    for (const { code: exit, meaning } of Object.values(EXIT_CODES))
      assert.ok(stdout.includes(`  ${exit}  ${meaning}`));
    assert.match(stdout, /There is no flag for the token itself/);
  });
});

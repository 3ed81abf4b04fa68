import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, loopbackServer } from '@meshwork/client/testing';
import { LONE_NODE_REPLY } from '../../test/scripted-coordinator.ts';
import { agentWith } from '../../test/test-agent.ts';
import { UNUSED_URL } from '../../test/unused-port.ts';
import type { AgentStatus } from './status.ts';

function statuses() {
  const seen: AgentStatus[] = [];
  return { seen, observer: { status: (_: string, status: AgentStatus) => void seen.push(status) } };
}

test('a broken connection is followed by pauses that grow, each anywhere up to its limit', async () => {
  await using it = await agentWith({ script: { heartbeat: (_, n) => (n <= 5 ? 'break' : 'hold') } });
  await it.coordinator.until(() => it.coordinator.beats.length === 6);
  // Half of each limit, because that is where the random numbers of the test lie.
  assert.deepEqual(
    it.clock.pauses.filter((ms) => ms > 100),
    [2500, 5000, 10_000, 15_000, 15_000],
  );
  assert.deepEqual(
    it.coordinator.beats.map(({ body }) => body.seq),
    [1, 2, 3, 4, 5, 6],
  );
  assert.equal(it.coordinator.proofs.length, 1, 'the session outlives the connection');
});

test('a `Retry-After` is waited for, and a little longer', async () => {
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n === 1 ? 'busy' : 'hold'), headers: { 'retry-after': '20' } },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);
  assert.deepEqual(
    it.clock.pauses.filter((ms) => ms > 100),
    [22_500],
  );
});

test('a session that expired or was ended is proven anew at once', async () => {
  for (const code of ['session_expired', 'session_void'] as const) {
    await using it = await agentWith({ script: { heartbeat: (_, n) => (n === 1 ? code : 'hold') } });
    await it.coordinator.until(() => it.coordinator.beats.length === 2);
    assert.equal(it.coordinator.proofs.length, 2);
    assert.notEqual(it.coordinator.proofs[0]?.jti, it.coordinator.proofs[1]?.jti);
    assert.notEqual(it.coordinator.beats[0]?.bearer, it.coordinator.beats[1]?.bearer);
    assert.deepEqual(
      it.clock.pauses.filter((ms) => ms > 100),
      [],
    );
  }
});

test('a fresh session that is refused too is not asked for without end', async () => {
  await using it = await agentWith({ script: { heartbeat: (_, n) => (n <= 3 ? 'session_void' : 'hold') } });
  await it.coordinator.until(() => it.coordinator.beats.length === 4);
  assert.deepEqual(
    it.clock.pauses.filter((ms) => ms > 100),
    [2500, 5000],
  );
});

test('a session is renewed shortly before it ends', async () => {
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n < 3 ? { revision: 1, next_s: 1700 } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.equal(it.coordinator.proofs.length, 2, 'after 3400 of 3600 seconds');
});

test('a clock that is off is reported, and tried again', async () => {
  const { seen, observer } = statuses();
  await using it = await agentWith({
    observer,
    script: { session: (n) => (n === 1 ? 'clock_skewed' : undefined) },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 1);
  assert.deepEqual(seen[0], { state: 'retrying', problem: 'clock_skewed', detail: 'a test wanted clock_skewed' });
});

test('a node that was removed ends, and says why', async () => {
  await using it = await agentWith({
    script: { heartbeat: () => 'session_void', session: (n) => (n === 1 ? undefined : 'proof_invalid') },
  });
  const { reason, detail } = await it.ended;
  assert.equal(reason, 'removed');
  assert.match(detail, /does not know this node any more/);
  assert.equal(it.coordinator.proofs.length, 2);
});

test('a node that was never known is given some time: another replica may have enrolled it', async () => {
  await using late = await agentWith({ script: { session: (n) => (n <= 2 ? 'proof_invalid' : undefined) } });
  await late.coordinator.until(() => late.coordinator.beats.length === 1);

  await using never = await agentWith({ script: { session: () => 'proof_invalid' } });
  assert.equal((await never.ended).reason, 'unknown');
  assert.equal(never.coordinator.proofs.length, 5);
});

test('an agent whose boot is over makes room for the one that followed', async () => {
  await using it = await agentWith({ script: { heartbeat: () => 'heartbeat_replayed' } });
  assert.equal((await it.ended).reason, 'replaced');
});

test('a refusal that no retry can mend is shown, and asked about less and less', async () => {
  const { seen, observer } = statuses();
  await using it = await agentWith({ observer, script: { heartbeat: (_, n) => (n <= 2 ? 'invalid' : 'hold') } });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.deepEqual(seen[0], { state: 'retrying', problem: 'refused', detail: 'a test wanted invalid' });
});

test('an invalid answer is reported and changes nothing that is held, and another coordinator is tried', async () => {
  const { seen, observer } = statuses();
  const [good, bad] = [
    { ...LONE_NODE_REPLY, revision: 7 },
    { revision: 8, next_s: 0, self: null, peers: { full: [null] } },
  ];
  await using it = await agentWith({
    observer,
    script: { heartbeat: (_, n) => (n === 1 ? good : n === 2 ? (bad as unknown as typeof good) : 'hold') },
  });
  await Promise.race([it.coordinator.until(() => it.coordinator.beats.length >= 3), it.ended]);
  assert.deepEqual(seen.at(-1), {
    state: 'retrying',
    problem: 'unreachable',
    detail: 'the coordinator answered a heartbeat with something that makes no sense: /self is no object',
  });
  assert.deepEqual([it.agent.view.revision, it.agent.view.sections.self], [7, LONE_NODE_REPLY.self]);
  assert.equal(it.coordinator.beats.at(-1)?.body.revision, 7, 'so that the coordinator sends it again');
});

test('a session that makes no sense is not taken for one', async () => {
  const { seen, observer } = statuses();
  await using server = await loopbackServer((_, response) => json(response, { node: 'x', expires: null }, 201));
  await using it = await agentWith({ observer, urls: [server.url] });
  await Promise.race([it.coordinator.until(() => it.coordinator.beats.length === 1), it.ended]);
  assert.match(JSON.stringify(seen[0]), /answered a proof with something that makes no sense: \/bearer is missing/);
});

test('a coordinator that cannot be reached is left for the next, and a silent one too', async () => {
  const asked = Promise.withResolvers<void>();
  await using silent = await loopbackServer(() => asked.resolve());
  // Time is up for it once it was asked, and not before that: to ask may take a busy machine longer.
  const onceAsked: typeof fetch = (input, init) => {
    const ending = new AbortController();
    init?.signal?.addEventListener('abort', () => void asked.promise.then(() => ending.abort()));
    return fetch(input, { ...init, signal: ending.signal });
  };
  await using it = await agentWith({ urls: [UNUSED_URL, silent.url], client: { timeout_ms: 50, fetch: onceAsked } });
  await it.coordinator.until(() => it.coordinator.beats.length === 1);
  assert.equal(silent.seen.length, 1);
});

test('a pause after a failure can be cut short', async () => {
  let asleep: (() => void) | undefined;
  const clock = {
    now: () => Date.now(),
    sleep: (_: number, signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        asleep?.();
      }),
  };
  const slept = new Promise<void>((resolve) => {
    asleep = resolve;
  });
  await using it = await agentWith({ clock, script: { session: (n) => (n === 1 ? 'busy' : undefined) } });
  await slept;
  it.agent.hurry();
  await it.coordinator.until(() => it.coordinator.beats.length === 1);
});

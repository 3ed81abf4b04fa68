import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, loopbackServer } from '@meshwork/client/testing';
import { OPERATIONS } from '@meshwork/contract';
import { mesh } from './run-mesh.ts';

const rule = OPERATIONS['firewall.create'].example.answer;
const rolled_back = { revision: 448, after_s: 60, at: '2026-11-15T09:30:00Z' };

async function answering(body: unknown, status = 200) {
  const server = await loopbackServer((_, response) => json(response, body, status));
  return { ...server, env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' } };
}

test('a rule that may cut agents off is made, and the warning stands beside it', async () => {
  const detail = `Rule ${rule.id} may drop what the agent sends.`;
  const findings = [{ kind: 'may_cut_off', rule: rule.id, by: null, detail, nodes: 2 }];
  await using server = await answering({ ...rule, findings }, 201);
  const flags = ['--node', '*', '--direction', 'out', '--action', 'drop', '--interface', 'eth0'];
  const { stdout, stderr, code } = await mesh(['firewall', 'create', ...flags], { env: server.env });
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(rule.id));
  assert.match(stderr, /^warning: may cut off \(2 nodes\): Rule .* may drop what the agent sends\.$/m);
  assert.match(stderr, /rolls the rules back by itself/);
});

test('rules that a node rolled back are not shown as if they were in effect', async () => {
  const { id, name } = OPERATIONS['nodes.show'].example.answer;
  const compiled = { ...OPERATIONS['firewall.node'].example.answer, node: id, name, rolled_back };
  await using server = await answering(compiled);
  const { stderr, code } = await mesh(['firewall', 'node', id], { env: server.env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^NOT IN EFFECT, rolled back .*no heartbeat was answered within 60 s after rule set 448\./m);
});

test('the posture of a node names what it rolled back', async () => {
  const posture = OPERATIONS['nodes.posture'].example.answer;
  const { firewall } = posture.sections;
  const refused = {
    ...firewall,
    in_sync: false,
    reason: 'Rolled back.',
    observed: { ...firewall.observed, rolled_back },
  };
  await using server = await answering({ ...posture, sections: { ...posture.sections, firewall: refused } });
  const { stdout, stderr, code } = await mesh(['node', 'posture', posture.node], { env: server.env });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^rolled back +firewall, .*no heartbeat was answered within 60 s after revision 448$/m);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeartbeatReply } from '@meshwork/contract';
import { certifiedNode } from '../../../test/certified-node.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { agentWith } from '../../../test/test-agent.ts';

test('a node gets its certificate by heartbeats, and sends its request no more when it has it', async () => {
  await using folder = await newFolder();
  const ca = await meshCa();
  const { plane, file } = await certifiedNode(folder.path);
  const asked = { trust: { roots: [ca.root], revocation_lists: [] }, certificate: { chain: null, request: true } };
  let chain: string | undefined;
  const requests: string[] = [];
  const nothing = (revision: number): HeartbeatReply => ({ revision, next_s: 0 });
  await using it = await agentWith({
    data_plane: plane,
    script: {
      heartbeat: ({ body }, number) => {
        const request = body.report?.certificate_request;
        if (request !== undefined) {
          requests.push(request);
          void ca.sign(request).then((signed) => (chain ??= signed));
        }
        if (number === 1) return { revision: 1, next_s: 0, ...asked };
        if (body.revision === 1 && chain !== undefined) {
          return { revision: 2, next_s: 0, certificate: { chain, request: false } };
        }
        if (body.applied?.certificate?.revision !== 2) return nothing(body.revision);
        return { ...nothing(2), report: 'everything' };
      },
    },
  });
  await it.coordinator.until(() => it.coordinator.beats.filter(({ body }) => body.complete).length >= 2);
  assert.equal(new Set(requests).size, 1);
  assert.equal(await file('cert.pem'), chain);
  const again = it.coordinator.beats.findLast(({ body }) => body.complete);
  assert.equal(again?.body.applied?.certificate?.error, undefined);
  assert.equal(again?.body.report?.certificate_request, undefined, 'also not to a coordinator that lost everything');
  assert.ok(again?.body.report?.endpoints);
});

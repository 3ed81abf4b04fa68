import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPERATIONS } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

it('mesh acme bind prints the whole address of the directory, and with --json what the API answers', async () => {
  await using server = await exampleServer();
  const binding = OPERATIONS['acme.bind'].example.answer;
  const bind = async (url: string, ...flags: readonly string[]) => {
    const { code, stdout, stderr } = await mesh(['acme', 'bind', ...flags], {
      env: { MESH_URL: url, MESH_TOKEN: 'mesh_test-token' },
    });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const printed = `directory  ${server.url}/v1/acme/directory\nkey id     ${binding.key_id}\nkey        ${binding.key}\n`;
  assert.equal(await bind(server.url), printed);
  assert.equal(await bind(`${server.url}/`), printed);
  assert.deepEqual(JSON.parse(await bind(server.url, '--json')), binding);
});

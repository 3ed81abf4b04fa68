import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { waysToUse } from './ways-to-use.ts';

const token = {
  name: 'CI deploy',
  secret: 'mesh_01_abc_00',
  permissions: ['self:read', 'ingress:read', 'ingress:write'],
};

describe('how a token is used', () => {
  it('is said with something that it may do', () => {
    const [, file, environment] = waysToUse(token, 'https://mesh.example');
    assert.match(file?.text ?? '', /--token-file ci-deploy\.token ingress list$/);
    assert.match(environment?.text ?? '', /^ export MESH_URL=https:\/\/mesh\.example MESH_TOKEN=mesh_01_abc_00\n/);
  });

  it('can be pasted piece by piece: what reads the secret is not followed by a command that it would read', () => {
    const [reading] = waysToUse(token, 'https://mesh.example');
    assert.equal(reading?.text, '(umask 077; cat > ci-deploy.token)');
  });

  it('is to enrol a machine, for one that can do little else', () => {
    const permissions = ['self:read', 'nodes:read', 'nodes:enroll'];
    const [first] = waysToUse({ ...token, permissions }, 'https://mesh.example');
    assert.match(first?.text ?? '', /^ MESH_ENROLL_TOKEN=mesh_01_abc_00 mesh agent enroll /);
    const owner = [...permissions, 'tokens:create'];
    assert.doesNotMatch(waysToUse({ ...token, permissions: owner }, 'https://mesh.example')[0]?.text ?? '', /enroll/);
  });

  it('means in a shell what was written, whatever the coordinator’s address is', async () => {
    const odd = "https://mesh.example/'; echo taken; '";
    for (const { label, text } of waysToUse(token, odd).slice(1)) {
      // The commands themselves are replaced, so that only what the shell makes of the line is seen.
      const script = `mesh() { printf '%s|' mesh "$@" "$MESH_URL"; }\ncurl() { cat; printf '%s|' "$@"; }\n${text}`;
      const { stdout } = await promisify(execFile)('sh', ['-c', script]);
      assert.ok(stdout.includes(odd), label);
      assert.ok(!stdout.split('\n').includes('taken'), label);
    }
  });

  it('has a name for the file, whatever the token is called', () => {
    assert.match(waysToUse({ ...token, name: '…' }, 'http://x')[0]?.text ?? '', /cat > mesh\.token\)/);
  });
});

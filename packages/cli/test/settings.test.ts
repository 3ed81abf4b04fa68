import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exampleServer } from './example-server.ts';
import { mesh, tempFolder } from './run-mesh.ts';

const bearer = (token: string) => `Bearer ${token}`;

describe('what mesh talks to, and as whom', { concurrency: 2 }, () => {
  it('is said by flags over the environment over the config file', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    const config = join(folder.path, 'mesh.env');
    await writeFile(config, `# as for systemd\nMESH_URL="${server.url}"\nMESH_TOKEN=from-file\n`);

    const byFile = await mesh(['whoami', '--config', config]);
    const byBoth = await mesh(['--url', server.url, '--config', config, 'whoami'], {
      env: { MESH_URL: 'http://nowhere.invalid', MESH_TOKEN: 'from-environment' },
    });

    assert.deepEqual([byFile.code, byBoth.code], [0, 0]);
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.authorization),
      [bearer('from-file'), bearer('from-environment')],
    );
    assert.match(String(server.seen[0]?.headers['user-agent']), /^mesh\/\d/);
  });

  it('falls back to the bootstrap token, without a word where JSON is wanted, and towards this machine only', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    const file = join(folder.path, 'bootstrap-token');
    await writeFile(file, 'from-bootstrap\n');

    const here = await mesh(['whoami', '--json'], { env: { MESH_URL: server.url, MESH_BOOTSTRAP_TOKEN_FILE: file } });
    // The same server by an address that is not written as this machine's own.
    const there = await mesh(['whoami'], {
      env: { MESH_URL: server.url.replace('127.0.0.1', '0.0.0.0'), MESH_DATA_DIR: folder.path },
    });

    assert.deepEqual([here.stderr, there.stderr], ['', '']);
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.authorization),
      [bearer('from-bootstrap'), undefined],
    );
  });

  it('comes from a file that others can read only with a warning', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    const file = join(folder.path, 'token');
    await writeFile(file, 'from-file\n', { mode: 0o644 });
    const ask = (...more: string[]) =>
      mesh(['whoami', '--token-file', file, ...more], { env: { MESH_URL: server.url } });
    const open = await ask();
    assert.equal(open.code, 0);
    assert.equal(
      open.stderr,
      `warning: other users can read the token in ${file} (mode 644). Run: chmod 600 ${file}\n`,
    );
    assert.equal((await ask('--json')).stderr, '');
    await chmod(file, 0o640);
    assert.match((await ask()).stderr, /\(mode 640\)/);
    await chmod(file, 0o600);
    assert.equal((await ask()).stderr, '');
    await chmod(file, 0o644);
    const bootstrap = await mesh(['whoami'], { env: { MESH_URL: server.url, MESH_BOOTSTRAP_TOKEN_FILE: file } });
    assert.match(bootstrap.stderr, /^warning: .*chmod 600/);
  });

  it('is refused as wrong usage when it cannot be right, and secrets are not repeated', async () => {
    await using folder = await tempFolder();
    const torn = join(folder.path, 'torn');
    await writeFile(torn, 'mesh_hunter2 and more');
    const wrong: [string[], RegExp][] = [
      [['--url', 'http://me:hunter2@host'], /must not contain credentials/],
      [
        ['--token-file', join(folder.path, 'none')],
        /--token-file names .*none, which cannot be read: there is no such/,
      ],
      [['--token-file', torn], /has characters that no token has/],
      [['--config', folder.path], /--config names .* cannot be read: it is a folder/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await mesh([...args, 'whoami']);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /hunter2/);
    }
  });
});

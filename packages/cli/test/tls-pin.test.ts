import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { certificateIn } from './certificate.ts';
import { Run, type TempFolder, tempFolder } from './run-mesh.ts';

const PIN = 'sha256:[A-Za-z0-9_-]{43}';

/** The flags of a coordinator in a folder of its own, with a certificate. */
async function flagsIn({ path }: TempFolder): Promise<string[]> {
  const { cert, key } = await certificateIn(path, '-subj', '/CN=localhost');
  return ['--listen', '127.0.0.1:0', '--data-dir', join(path, 'data'), '--tls-cert', cert, '--tls-key', key];
}

describe('the pin of a coordinator with TLS', { concurrency: 2 }, () => {
  it('is printed by `mesh up`, and logged by `mesh coordinator`', async () => {
    await using folder = await tempFolder();
    const flags = await flagsIn(folder);
    await using up = new Run(['up', '--panel-listen', '127.0.0.1:0', ...flags], { cwd: folder.path });
    const [, said] = await up.said('stderr', new RegExp(`^ {2}Pin +(${PIN}) `, 'm'));
    up.child.kill('SIGTERM');
    await up.ended;
    await using coordinator = new Run(['coordinator', ...flags], { cwd: folder.path });
    const [, logged] = await coordinator.said('stdout', new RegExp(`"tls_pin":"(${PIN})".*"msg":"serving"`));
    assert.equal(logged, said);
    assert.ok(!coordinator.stdout.includes(await readFile(join(folder.path, 'key.pem'), 'utf8')));
  });

  it('is not there without TLS', async () => {
    await using folder = await tempFolder();
    await using up = new Run(
      ['up', '--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0', '--data-dir', folder.path],
      { cwd: folder.path },
    );
    await up.said('stderr', /Press Ctrl-C to stop/);
    assert.ok(!up.stderr.includes('Pin'));
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatNetwork } from '@meshwork/addresses';
import { ConfigError } from '@meshwork/service';
import { readConfig } from './config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map(({ variable }) => variable);
  }
}

describe('the configuration', () => {
  it('needs nothing: everything has a default', () => {
    const config = readConfig({});
    assert.deepEqual(config, {
      data_dir: resolve('data'),
      store: `sqlite:${resolve('data')}/mesh.db`,
      listen: { host: '127.0.0.1', port: 7400 },
      tls: undefined,
      master_key_file: resolve('data/master-key'),
      bootstrap_token_file: resolve('data/bootstrap-token'),
      panel_token_file: undefined,
      inner: undefined,
      metrics_listen: undefined,
      outbound_networks: [],
      log_level: 'info',
    });
    assert.ok(Object.isFrozen(config));
  });

  it('names every problem at once', () => {
    const wrong = {
      MESH_STORE: 'mysql://x',
      MESH_COORDINATOR_LISTEN: 'localhost',
      MESH_TLS_CERT: '/does/not/exist',
      MESH_METRICS_LISTEN: '127.0.0.1:99999',
      MESH_LOG_LEVEL: 'loud',
      MESH_DATA_DIR: '',
    };
    assert.deepEqual(problemsOf(wrong).sort(), [
      'MESH_COORDINATOR_LISTEN',
      'MESH_DATA_DIR',
      'MESH_LOG_LEVEL',
      'MESH_METRICS_LISTEN',
      'MESH_STORE',
      'MESH_TLS_CERT',
      'MESH_TLS_KEY',
    ]);
  });

  it('reads networks that may be asked although they are not public', () => {
    const read = (MESH_OUTBOUND_NETWORKS: string) => readConfig({ MESH_OUTBOUND_NETWORKS }).outbound_networks;
    assert.deepEqual(read('127.0.0.0/8, fd00::/8').map(formatNetwork), ['127.0.0.0/8', 'fd00::/8']);
    for (const wrong of ['', '10.0.0.1', '10.0.0.1/8', 'localhost', '10.0.0.0/8,']) {
      assert.throws(() => read(wrong), /MESH_OUTBOUND_NETWORKS names ".*", which is no network/);
    }
  });

  it('takes IPv6 addresses in brackets', () => {
    assert.deepEqual(readConfig({ MESH_COORDINATOR_LISTEN: '[::1]:7400' }).listen, { host: '::1', port: 7400 });
    assert.deepEqual(problemsOf({ MESH_COORDINATOR_LISTEN: '::1:7400' }), ['MESH_COORDINATOR_LISTEN']);
  });

  it('never repeats the password of a store', () => {
    const secret = 'postgres://user:hunter2@[bad/db';
    assert.throws(
      () => readConfig({ MESH_STORE: secret }),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});

describe('the configuration of TLS', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const makePair = (name: string) => {
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
    execFileSync('openssl', ['req', '-x509', ...ec, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)], {
      stdio: 'ignore',
    });
  };
  const problem = (cert: string, key: string): string => {
    try {
      readConfig({ MESH_TLS_CERT: at(cert), MESH_TLS_KEY: at(key) });
      return '';
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mesh-tls-'));
    makePair('a');
    makePair('b');
    writeFileSync(at('garbage'), 'nonsense', { mode: 0o600 });
    writeFileSync(at('empty'), '', { mode: 0o600 });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('takes a key that its owner, or its owner and a group, may read', () => {
    for (const mode of [0o600, 0o400, 0o640]) {
      chmodSync(at('a.key'), mode);
      assert.equal(problem('a.crt', 'a.key'), '');
    }
  });

  it('refuses a key that anyone can read', () => {
    chmodSync(at('b.key'), 0o644);
    assert.match(problem('b.crt', 'b.key'), /^MESH_TLS_KEY names \S+b\.key, which is open to others \(mode 644\)/);
    chmodSync(at('b.key'), 0o600);
  });

  it('names the file that is not what it should be', () => {
    for (const name of ['garbage', 'empty', 'a.key']) {
      assert.match(
        problem(name, 'a.key'),
        new RegExp(`^MESH_TLS_CERT names ${at(name)}, which is not a certificate.*$`),
      );
    }
    for (const name of ['garbage', 'empty']) {
      assert.match(
        problem('a.crt', name),
        new RegExp(`^MESH_TLS_KEY names ${at(name)}, which is not a private key.*$`),
      );
    }
    assert.match(problem('a.crt', '.'), /^MESH_TLS_KEY names \S+, which cannot be read: EISDIR.*$/);
  });

  it('refuses a key that belongs to another certificate', () => {
    assert.match(problem('a.crt', 'b.key'), /^MESH_TLS_KEY names \S+b\.key, which is not the key of \S+a\.crt$/);
  });
});

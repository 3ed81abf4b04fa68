import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

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
      metrics_listen: undefined,
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

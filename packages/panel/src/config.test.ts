import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError } from '@meshwork/service';
import { readConfig } from './config.ts';

const problemsOf = (env: Readonly<Record<string, string>>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map(({ variable }) => variable).sort();
  }
};

const OIDC = {
  MESH_OIDC_ISSUER: 'https://id.example',
  MESH_OIDC_CLIENT_ID: 'meshwork',
  MESH_OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc',
  MESH_OIDC_ROLES: 'admins=owner, dev=operator@platform/*/production',
};

describe('the configuration of the panel', () => {
  it('needs nothing to be set', () => {
    const config = readConfig({ MESH_DATA_DIR: '/data' });
    assert.deepEqual(config.listen, { host: '127.0.0.1', port: 7480 });
    assert.equal(config.store, 'sqlite:/data/panel.db');
    assert.equal(config.key_file, '/data/panel-key');
    assert.equal(config.panel_token_file, '/data/panel-token');
    assert.equal(config.coordinator_url, 'http://127.0.0.1:7400');
    assert.deepEqual([config.url, config.oidc, config.tls], [undefined, undefined, undefined]);
    assert.ok(Object.isFrozen(config));
  });

  it('takes the coordinator’s PostgreSQL, and never its file', () => {
    const postgres = 'postgres://mesh@db/mesh';
    assert.equal(readConfig({ MESH_STORE: postgres }).store, postgres);
    assert.match(readConfig({ MESH_STORE: 'sqlite:/elsewhere/mesh.db', MESH_DATA_DIR: '/data' }).store, /panel\.db$/);
    assert.equal(readConfig({ MESH_STORE: postgres, MESH_PANEL_STORE: 'sqlite:/p.db' }).store, 'sqlite:/p.db');
  });

  it('shows people another address of the coordinator than its own, where there is one', () => {
    const given = {
      MESH_COORDINATOR_URL: 'http://10.0.0.1:7400/',
      MESH_COORDINATOR_PUBLIC_URL: 'https://mesh.example/',
    };
    const { coordinator_url, coordinator_public_url } = readConfig(given);
    assert.deepEqual([coordinator_url, coordinator_public_url], ['http://10.0.0.1:7400', 'https://mesh.example']);
    assert.equal(
      readConfig({ MESH_COORDINATOR_URL: 'http://10.0.0.1:7400' }).coordinator_public_url,
      'http://10.0.0.1:7400',
    );
  });

  it('says everything that is wrong at once', () => {
    const env = {
      MESH_PANEL_LISTEN: 'nowhere',
      MESH_PANEL_URL: 'mesh.example',
      MESH_COORDINATOR_URL: 'ftp://mesh.example',
      MESH_PANEL_STORE: 'papyrus',
      MESH_LOG_LEVEL: 'loud',
      MESH_PANEL_METRICS_LISTEN: 'x',
    };
    assert.deepEqual(problemsOf(env), Object.keys(env).sort());
  });

  it('has to know its name where it listens everywhere, and has its host to itself', () => {
    assert.deepEqual(problemsOf({ MESH_PANEL_LISTEN: '0.0.0.0:7480' }), ['MESH_PANEL_URL']);
    assert.deepEqual(problemsOf({ MESH_PANEL_LISTEN: '[::]:7480' }), ['MESH_PANEL_URL']);
    assert.deepEqual(problemsOf({ MESH_PANEL_LISTEN: '0.0.0.0:7480', MESH_PANEL_URL: 'https://mesh.example' }), []);
    for (const url of ['https://mesh.example/panel', 'https://a:b@mesh.example', 'https://mesh.example/?x=1']) {
      assert.deepEqual(problemsOf({ MESH_PANEL_URL: url }), ['MESH_PANEL_URL'], url);
    }
  });

  it('takes a provider whole, or not at all', () => {
    assert.deepEqual(readConfig(OIDC).oidc?.roles, [
      { group: 'admins', role: 'owner', scope: { team: '*', surface: '*', environment: '*' } },
      { group: 'dev', role: 'operator', scope: { team: 'platform', surface: '*', environment: 'production' } },
    ]);
    assert.equal(readConfig(OIDC).oidc?.name, 'id.example');
    const { MESH_OIDC_CLIENT_ID: _, ...partial } = OIDC;
    assert.deepEqual(problemsOf(partial), ['MESH_OIDC_CLIENT_ID']);
    for (const roles of ['x', 'x=', '=owner', 'x=panel', 'x=owner@a', 'x=owner@a/b/c/d', 'x=owner@A/b/c']) {
      assert.deepEqual(problemsOf({ ...OIDC, MESH_OIDC_ROLES: roles }), ['MESH_OIDC_ROLES'], roles);
    }
    assert.deepEqual(problemsOf({ ...OIDC, MESH_OIDC_ISSUER: 'http://id.example' }), ['MESH_OIDC_ISSUER']);
    assert.deepEqual(problemsOf({ ...OIDC, MESH_OIDC_ISSUER: 'http://127.0.0.1:9000' }), []);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentConfigError, readAgentConfig } from './config.ts';
import { addressProblem } from './identity/trust.ts';

test('without anything set it is what the documents say', () => {
  assert.deepEqual(readAgentConfig({}), {
    state_dir: '/var/lib/mesh-agent',
    health_listen: { host: null, port: 8080 },
    wireguard_port: 51820,
    rollback_after_s: 60,
    accept_routes: undefined,
    probes: true,
    tls: { group: undefined, reload: [] },
    relay: { folder: '/run/mesh-relay', certificate: undefined, key: undefined },
    gateway: {
      folder: '/run/mesh-gateway',
      http_port: 80,
      https_port: 443,
      proxy_protocol: [],
      waf: { rules: '/usr/share/modsecurity-crs', countries: undefined },
    },
    names: 'dns',
    log_level: 'info',
    log_format: 'json',
  });
  assert.equal(readAgentConfig({ MESH_HEALTH_LISTEN: 'off' }).health_listen, undefined);
  assert.deepEqual(readAgentConfig({ MESH_HEALTH_LISTEN: ':9' }).health_listen, { host: null, port: 9 });
  const everywhere = readAgentConfig({ MESH_HEALTH_LISTEN: '0.0.0.0:8080' }).health_listen;
  assert.deepEqual(everywhere, { host: '0.0.0.0', port: 8080 });
  for (const [text, seconds] of [
    ['off', 0],
    ['0', 0],
    ['1', 1],
    ['3600', 3600],
  ] as const) {
    assert.equal(readAgentConfig({ MESH_ROLLBACK_AFTER: text }).rollback_after_s, seconds);
  }
  const files = { MESH_RELAY_DIR: '/srv/relay', MESH_RELAY_CERTIFICATE: '/etc/a.pem', MESH_RELAY_KEY: '/etc/b.pem' };
  assert.deepEqual(readAgentConfig(files).relay, {
    folder: '/srv/relay',
    certificate: '/etc/a.pem',
    key: '/etc/b.pem',
  });
  assert.throws(() => readAgentConfig({ MESH_RELAY_KEY: '' }), /MESH_RELAY_KEY is "", and must be a file/);
  const gateway = { MESH_GATEWAY_DIR: '/srv/gw', MESH_GATEWAY_HTTP_PORT: '8080', MESH_GATEWAY_HTTPS_PORT: '8443' };
  const ports = { folder: '/srv/gw', http_port: 8080, https_port: 8443 };
  const { waf: _, ...of_ports } = readAgentConfig(gateway).gateway;
  assert.deepEqual(of_ports, { ...ports, proxy_protocol: [] });
  const waf = { MESH_WAF_RULES: '/srv/crs', MESH_WAF_COUNTRIES: '/srv/countries.mmdb' };
  assert.deepEqual(readAgentConfig(waf).gateway.waf, { rules: '/srv/crs', countries: '/srv/countries.mmdb' });
  for (const bad of ['countries.mmdb', '/a b', '/a"', '']) {
    assert.throws(() => readAgentConfig({ MESH_WAF_COUNTRIES: bad }), /MESH_WAF_COUNTRIES is .*, and must be a path/);
  }
  const balancers = (text: string) => readAgentConfig({ MESH_GATEWAY_PROXY_PROTOCOL: text }).gateway.proxy_protocol;
  assert.deepEqual(balancers('10.0.0.0/24, FD00:0::/8,10.0.0.0/24'), ['10.0.0.0/24', 'fd00::/8']);
  for (const bad of ['on', '10.0.0.1', '10.0.0.1/24', '10.0.0.0/24,', '10.0.0.0/24;', 'unix:']) {
    assert.throws(() => balancers(bad), /MESH_GATEWAY_PROXY_PROTOCOL is .*, and must be networks such as/, bad);
  }
  assert.equal(readAgentConfig({ MESH_ACCEPT_ROUTES: 'none' }).accept_routes, 'none');
  assert.equal(readAgentConfig({ MESH_PROBES: 'off' }).probes, false);
  assert.deepEqual(readAgentConfig({ MESH_HEALTH_LISTEN: '[::1]:9' }).health_listen, { host: '::1', port: 9 });
});

test('everything that is wrong is named at once', () => {
  const wrong = {
    MESH_STATE_DIR: '',
    MESH_HEALTH_LISTEN: '8080',
    MESH_WIREGUARD_PORT: '0',
    MESH_ROLLBACK_AFTER: '3601',
    MESH_ACCEPT_ROUTES: 'some',
    MESH_PROBES: 'maybe',
    MESH_TLS_GROUP: 'ssl cert',
    MESH_TLS_RELOAD: 'nginx.service,--force',
    MESH_GATEWAY_DIR: '',
    MESH_GATEWAY_HTTP_PORT: '65536',
    MESH_GATEWAY_HTTPS_PORT: 'https',
    MESH_GATEWAY_PROXY_PROTOCOL: 'on',
    MESH_LOG_LEVEL: 'loud',
    MESH_LOG_FORMAT: 'xml',
  };
  const named = (error: unknown) =>
    error instanceof AgentConfigError &&
    error.problems.map(({ variable }) => variable).join() === Object.keys(wrong).join();
  assert.throws(() => readAgentConfig(wrong), named);
});

test('the group of the certificate is a name or a number, and the units to reload are services by their full names', () => {
  const tls = (group: string, reload: string) =>
    readAgentConfig({ MESH_TLS_GROUP: group, MESH_TLS_RELOAD: reload }).tls;
  const reload = ['nginx.service', 'haproxy@eu-1.service', 'dev-x\\x2dy.service'];
  assert.deepEqual(tls('ssl-cert', 'nginx.service, haproxy@eu-1.service,dev-x\\x2dy.service,nginx.service'), {
    group: 'ssl-cert',
    reload,
  });
  assert.deepEqual(tls('103', ''), { group: '103', reload: [] });
  for (const group of ['', 'Ssl', '-1', '4294967295', 'a:b', 'x'.repeat(33)])
    assert.throws(() => tls(group, ''), /MESH_TLS_GROUP/);
  for (const unit of [
    'nginx',
    '*.service',
    '-x.service',
    'a.service b.service',
    'a.service,',
    '$(id).service',
    'a.target',
  ]) {
    assert.throws(() => tls('0', unit), /MESH_TLS_RELOAD/, unit);
  }
});

test('credentials go over TLS or to the machine itself, unless plain HTTP is explicitly allowed', () => {
  for (const good of ['https://mesh.example.org', 'http://127.0.0.1:7400', 'http://localhost:1', 'http://[::1]:7400']) {
    assert.equal(addressProblem(good, { insecure_http: false }), undefined, good);
  }
  for (const bad of [
    'mesh',
    'http://mesh.example.org',
    'ftp://x',
    'https://a:b@x',
    'https://x/?y',
    'http://127.0.0.1.example.org',
  ]) {
    assert.notEqual(addressProblem(bad, { insecure_http: false }), undefined, bad);
  }
  assert.equal(addressProblem('http://10.0.0.1:7400', { insecure_http: true }), undefined);
});

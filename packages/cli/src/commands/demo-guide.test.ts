import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guideOf, guideText } from './demo-guide.ts';

const CAST = {
  server: 'git-1',
  laptop: 'laptop-ana',
  gateway: 'gw-1',
  database: 'db-1',
  other_laptop: 'laptop-ben',
  pending: 'laptop-zoe',
  quarantined: 'ci-3',
  silent: 'etl-2',
  drifting: 'web-1',
};
const PANEL = { panel_url: 'http://localhost:7480', setup_code: 'EXAM-PLES-ETUP-CODE' };
const guide = (url: string, environment = {}, data_dir = '/tmp/demo-1') =>
  guideOf({ ...PANEL, url, data_dir, token_file: `${data_dir}/bootstrap-token`, nodes: 48 }, CAST, environment);
const exported = (...given: Parameters<typeof guide>) => guide(...given).environment.join(' ');

test('the commands say where the demo is, and no more than they need', () => {
  assert.equal(exported('http://127.0.0.1:7400'), 'MESH_DATA_DIR=/tmp/demo-1');
  assert.equal(exported('http://127.0.0.1:7401'), 'MESH_DATA_DIR=/tmp/demo-1 MESH_URL=http://127.0.0.1:7401');
  assert.equal(exported('http://0.0.0.0:7400'), 'MESH_DATA_DIR=/tmp/demo-1');
  assert.equal(exported('http://127.0.0.1:7400', {}, "/tmp/it's mine"), "MESH_DATA_DIR='/tmp/it'\\''s mine'");
});

test('what the shell is set to must not lead the commands to another mesh', () => {
  const elsewhere = { MESH_URL: 'https://mesh.example.net', MESH_TOKEN: 'mesh_x', MESH_DATA_DIR: './data' };
  assert.equal(
    exported('http://127.0.0.1:7400', elsewhere),
    'MESH_DATA_DIR=/tmp/demo-1 MESH_URL=http://127.0.0.1:7400 MESH_TOKEN=',
  );
});

test('a token that is not found by itself, because the address is not this machine, is named', () => {
  assert.match(exported('http://192.0.2.7:7400'), / MESH_TOKEN="\$\(cat \/tmp\/demo-1\/bootstrap-token\)"$/);
});

test('the guide fits a narrow terminal', () => {
  const lines = guideText(guide('http://127.0.0.1:7400'), CAST, 10).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
});

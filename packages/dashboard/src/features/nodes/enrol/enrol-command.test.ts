import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { enrolCommand, isThisMachine, simulateCommand } from './enrol-command.ts';

const wanted = {
  coordinator: 'https://mesh.example.org:7400',
  name: 'git-2',
  tags: ['role:git'],
  secret: 'mesh_x_y_z',
};

describe('the command that enrols a node', () => {
  test('has the token in the environment, and in no argument', () => {
    assert.equal(
      enrolCommand(wanted),
      'MESH_ENROLL_TOKEN=mesh_x_y_z mesh agent enroll --coordinator https://mesh.example.org:7400 --name git-2 --tag role:git',
    );
  });

  test('says so when credentials travel unencrypted, and only where that matters', () => {
    assert.match(enrolCommand({ ...wanted, coordinator: 'http://10.0.0.5:7400' }), / --insecure-http /);
    for (const coordinator of ['http://127.0.0.1:7400', 'http://localhost:7400', 'http://[::1]:7400']) {
      assert.doesNotMatch(enrolCommand({ ...wanted, coordinator }), /insecure/);
      assert.ok(isThisMachine(coordinator));
    }
  });

  test('has no tags when none are wanted', () => {
    assert.doesNotMatch(enrolCommand({ ...wanted, tags: [] }), /--tag/);
  });

  test('means in a shell what was written, whatever that is', () => {
    assert.match(enrolCommand({ ...wanted, name: "a'; rm -rf $HOME" }), /--name 'a'\\''; rm -rf \$HOME'/);
  });
});

describe('the command that simulates a node', () => {
  test('runs in a clone, fetches nothing, and has the token in the environment', () => {
    assert.equal(
      simulateCommand({ ...wanted, coordinator: 'http://127.0.0.1:7400' }),
      'MESH_TOKEN=mesh_x_y_z npx --no -- mesh --url http://127.0.0.1:7400 fleet --name git-2 --tag role:git',
    );
  });

  test('means in a shell what was written, whatever that is', () => {
    assert.match(simulateCommand({ ...wanted, name: "a'; rm -rf $HOME" }), /--name 'a'\\''; rm -rf \$HOME' --tag/);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Compile } from 'typebox/compile';
import { OutsideDirectory, OutsideStaging } from './outside-authority.ts';
import { KNOWN_AUTHORITIES } from './vocabulary.ts';

it('authorities that people know by name have addresses that the API takes', () => {
  for (const [name, { directory, staging_directory }] of Object.entries(KNOWN_AUTHORITIES)) {
    assert.ok(Compile(OutsideDirectory).Check(directory), name);
    assert.ok(Compile(OutsideStaging).Check(staging_directory), name);
    assert.notEqual(directory, staging_directory, name);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpFrom } from './help-text.ts';

test('a description of the API reads as help', () => {
  const known = {
    'Only tokens with this role.': 'only tokens with this role',
    'True: also those of people.': 'also those of people',
    'How many nodes. Absent: any number. Only for some.': 'how many nodes. Only for some (default: any number)',
    'Name of the relay. Null: the coordinator chooses.': 'name of the relay',
    'UDP port that it listens on.': 'UDP port that it listens on',
    'Such as `role:git`.': 'such as role:git',
  };
  for (const [description, help] of Object.entries(known)) assert.equal(helpFrom(description), help);
});

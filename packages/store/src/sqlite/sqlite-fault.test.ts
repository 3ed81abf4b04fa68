import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { isDuplicate } from './sqlite-fault.ts';

describe('a fault of SQLite', () => {
  it('is a duplicate whether the key of a row is taken or another of its unique columns', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`CREATE TABLE entries (log TEXT, seq INTEGER, id TEXT, CHECK (seq < 9), PRIMARY KEY (log, seq)) STRICT;
      CREATE UNIQUE INDEX by_id ON entries (log, id); INSERT INTO entries VALUES ('audit', 1, 'a')`);
    const faultOf = (seq: number, id: string): unknown => {
      try {
        return db.prepare('INSERT INTO entries VALUES (?, ?, ?)').run('audit', seq, id);
      } catch (error) {
        return error;
      }
    };
    assert.deepEqual([faultOf(1, 'b'), faultOf(2, 'a'), faultOf(9, 'c')].map(isDuplicate), [true, true, false]);
    db.close();
  });
});

/**
 * Another process that has an embedded store open. Arguments: the store's file, and how many commits to make at most.
 * Prints the revision after each commit was acknowledged (0 once the store is open), and then holds on until killed.
 */
import { writeSync } from 'node:fs';
import { openSqlite } from '../src/sqlite/sqlite-journal.ts';
import { loaded, node, note, Scribe } from './scribe.ts';

const [file = '', most = '0'] = process.argv.slice(2);
const scribe = new Scribe(await openSqlite(file, {}));
scribe.revision = (await loaded(scribe.journal)).revision;
writeSync(1, '0\n');
for (let made = 0; made < Number(most); made += 1) {
  const next = scribe.revision + 1;
  // A few kilobytes, so that the write-ahead log is folded into the file now and then.
  const body = JSON.stringify({ next, padding: 'x'.repeat(6_000) });
  await scribe.commit({ changes: [node(`n${next}`, body), node('last', String(next))], appends: [note(`e${next}`)] });
  writeSync(1, `${scribe.revision}\n`);
}
setInterval(() => undefined, 60_000);

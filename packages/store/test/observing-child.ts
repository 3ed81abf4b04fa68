/**
 * Another process that observes without end. Arguments: the address of a store, and its schema on PostgreSQL. Prints how many observations were
 * acknowledged after each call, 0 once the store is open.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../src/index.ts';

const [address = '', schema = 'meshwork'] = process.argv.slice(2);
const journal = await openStore(address, { postgres: { schema }, observing: { flush_after_ms: 0 } });
writeSync(1, '0\n');
const limit = Number.MAX_SAFE_INTEGER;
const before = await journal.observations({ log: 'telemetry', order: 'oldest_first', limit });
for (let next = before.length; ; ) {
  const observations = Array.from({ length: 50 }, (_, index) => {
    const at_ms = next + index;
    return { log: 'telemetry', key: `node_${at_ms % 7}`, at_ms, id: 'a', body: 'x'.repeat(500) };
  });
  await journal.observe(observations);
  next += observations.length;
  writeSync(1, `${next}\n`);
}

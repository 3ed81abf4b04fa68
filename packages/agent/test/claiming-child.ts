/** Claims an interface, says how that went, and keeps it until it is killed. */
import { writeSync } from 'node:fs';
import { claimInterface } from '../src/host/interface-claim.ts';

try {
  await claimInterface(process.argv[2] ?? '');
  writeSync(1, 'claimed\n');
} catch (error) {
  writeSync(1, `${(error as Error).message}\n`);
}
setInterval(() => undefined, 1_000_000);

/** Takes a state folder, says so, and keeps it until it is killed. */
import { writeSync } from 'node:fs';
import { openStateFolder } from '../src/identity/state-folder.ts';

await openStateFolder(process.argv[2] ?? '');
writeSync(1, 'held\n');
setInterval(() => undefined, 1_000_000);

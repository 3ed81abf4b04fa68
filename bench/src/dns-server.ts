/** The DNS server of an agent, with the compilers that its service unit leaves it. */
import { setFlagsFromString } from 'node:v8';
import { serveNames } from '@meshwork/agent/testing/names';
import { benchNames } from './bench-names.ts';
import { answerMeter } from './meter.ts';

for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
const port = await serveNames(benchNames(Number(process.argv[2])));
setInterval(() => undefined, 60_000); // its sockets alone do not keep a process alive
answerMeter();
process.send?.({ port });

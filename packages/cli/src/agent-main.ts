/**
 * `mesh agent …` without the rest of `mesh`. An agent runs for months on machines of any size, and every command that is
 * loaded takes memory; `bin/mesh.js` chooses.
 */
import { agent } from './commands/agent/agent.ts';
import { program } from './program.ts';
import { runProgram } from './run-program.ts';

await runProgram(program([agent()]));

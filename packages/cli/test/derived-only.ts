/** `mesh` for the areas of the coordinator as if no noun had words of its own: what a new area has by the rules alone. */
import { deriveNoun } from '../src/derived/derive-noun.ts';
import { derivedNouns } from '../src/derived/noun.ts';
import { withoutDerived } from '../src/derived/without.ts';
import { program } from '../src/program.ts';
import { runProgram } from '../src/run-program.ts';

const without = withoutDerived('coordinator');
const nouns = derivedNouns('coordinator', [], without);
await runProgram(program(nouns.map((noun) => deriveNoun(noun, { records: {}, without }))));

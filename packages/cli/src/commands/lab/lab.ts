import type { Command } from 'commander';
import { group } from '../../program.ts';
import { labDown } from './down.ts';
import { labExec } from './exec.ts';
import { labCut, labMend } from './link.ts';
import { labList } from './list.ts';
import { labMove } from './move.ts';
import { labStatus } from './status.ts';
import { labUp } from './up.ts';

const VERBS = [labUp, labExec, labCut, labMend, labMove, labStatus, labList, labDown];

/** A whole mesh on this machine. What follows the node in `exec` belongs to the command there. */
export function lab(): Command {
  const description = 'A real mesh on this machine, in network namespaces, to try and to test with.';
  const command = group('lab', description).enablePositionalOptions();
  for (const make of VERBS) command.addCommand(make());
  return command;
}

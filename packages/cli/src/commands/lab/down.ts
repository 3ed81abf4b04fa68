import { ApiError, UnreachableError } from '@meshwork/client';
import { Command } from 'commander';
import type { Output } from '../../output.ts';
import { openSession, outputOf } from '../../session.ts';
import { counted } from '../../wording.ts';
import { ensureNoWords, inLab, meantLab, NAME_FLAG, type NameOption } from './in-lab.ts';

interface Options extends NameOption {
  readonly keepNodes?: true;
}

export function labDown(): Command {
  return new Command('down')
    .description(
      'End a lab: its processes, its namespaces and its files. Its nodes are removed from the mesh. Needs root.',
    )
    .option(...NAME_FLAG)
    .option('--keep-nodes', 'keep them in the mesh, where they are offline')
    .allowExcessArguments()
    .action(async ({ keepNodes, ...option }: Options, command: Command) => {
      ensureNoWords(command);
      const out = outputOf(command);
      await inLab(async (labs) => {
        const { Lab } = labs;
        const name = await meantLab(labs, option);
        const ids = await Lab.enrolled(name);
        if (!(await Lab.down(name))) {
          throw new labs.NoSuchLab(name, await Lab.names());
        }
        // Last, and apart: a coordinator that is gone must not keep a lab alive.
        const removed = keepNodes === true || ids.length === 0 ? [] : await removeNodes(ids, command, out);
        const result = { name, nodes: ids, removed };
        await out.result(
          result,
          () => `the lab "${name}" is down; removed ${removed.length} of ${counted(ids.length, 'node')}`,
        );
      });
    });
}

/** The reason why nodes cannot be removed is printed once: it is usually the same for all. */
async function removeNodes(ids: readonly string[], command: Command, out: Output): Promise<string[]> {
  const removed: string[] = [];
  let problem: string | undefined;
  const { client } = await openSession(command);
  for (const id of ids) {
    try {
      await client.call('nodes.remove', { params: { id } });
      removed.push(id);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error;
      problem ??= error.message;
      if (error instanceof UnreachableError) break; // it will not be there for the others either
    }
  }
  if (problem !== undefined) out.notice(`some stay in the mesh, where mesh node remove can remove them: ${problem}`);
  return removed;
}

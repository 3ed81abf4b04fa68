/** The keeper, a program of its own. `keeper.ts` starts it and says what it is for. */
import { tearDown } from '../life/tear-down.ts';
import { openDoor } from './door.ts';
import type { FromKeeper, KeeperTask, ToKeeper } from './keeper-messages.ts';

const task = JSON.parse(process.argv[2] ?? '') as KeeperTask;
let stays = false;

process.on('message', (message: ToKeeper) => {
  obey(message).then(
    () => answer({}),
    (error: unknown) => answer({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => {
  if (!stays) void end(0);
});
process.on('SIGTERM', () => void end(0));
if (!process.connected) void end(0); // our parent process is gone already

async function obey(message: ToKeeper): Promise<void> {
  if (message.do === 'open_door') await openDoor(task);
  else {
    stays = true;
    setInterval(() => undefined, 2 ** 30); // nothing else need keep us alive
  }
}

function answer(text: FromKeeper): void {
  if (process.connected) process.send?.(text);
}

async function end(code: number): Promise<void> {
  try {
    await tearDown(task);
    process.exit(code);
  } catch (error) {
    process.stderr.write(`lab "${task.name}": ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1); // what is left is swept by the next lab
  }
}

/**
 * The carrier: the process that moves the packets of relayed links, so that the agent need not. It is started by the agent
 * (`carrier.ts`) with the folder that its control socket is in, outlives it, and does what `control/messages.ts` has. It
 * ends when it is asked to, and when its socket has been taken away.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { carrierPlaces } from './carrier-places.ts';
import { Carrying } from './carrying.ts';
import { ControlServer } from './control/control-server.ts';

/** Ours: a relay that does not hear of our end forgets us by itself. */
const RELEASE_WITHIN_MS = 500;
/** Ours: how soon a carrier that can never be reached again ends. */
const LOOK_MS = 10_000;

const [, , folder] = process.argv;
if (folder === undefined || folder === '') {
  process.stderr.write('usage: carrier-process <run folder>\n');
  process.exit(2);
}
process.title = 'mesh-carrier';
const carrying = new Carrying({
  report: (event, facts) => control.report(event, facts),
  droppedEvents: () => control.dropped_events,
  end: () => void end(),
});
const control = await ControlServer.open({ ...carrierPlaces(folder), handlers: carrying.handlers });
process.once('SIGTERM', () => void end());
setInterval(() => void endIfUnreachable(), LOOK_MS);

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.race([carrying.close(), pause(RELEASE_WITHIN_MS)]);
  await control.close();
  process.exit(0);
}

async function endIfUnreachable(): Promise<void> {
  if (!(await control.isReachable())) await end();
}

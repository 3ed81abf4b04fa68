/**
 * A service that takes its time, to see how `serve.ts` behaves meanwhile: the real one is too quick for that.
 * Run as a program. Its first argument says what is slow.
 */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { reportFailure } from '../src/report-failure.ts';
import { serve } from '../src/serve.ts';
import { serviceCommand } from '../src/service-flags.ts';

const [, , slow] = process.argv;
const say = (text: string) => process.stdout.write(`${text}\n`);

const service = {
  readConfig: () => ({}),
  async start() {
    const open = setInterval(() => undefined, 1_000_000); // as a listening socket would keep the process
    const signalled = once(process, 'SIGTERM');
    say('starting');
    if (slow === 'start') await signalled; // not for some time: the sender of the signal may be slower
    return {
      ...(slow === 'to break down' ? { failure: Promise.resolve(new Error('the index is lost')) } : {}),
      async close() {
        say('closing');
        if (slow === 'close') await setTimeout(500);
        if (slow === 'for ever') await setTimeout(1_000_000);
        clearInterval(open);
        say('closed');
      },
    };
  },
  async started() {
    say('started');
    if (slow === 'to fail') throw new Error('what it does went wrong');
  },
};

const command = serviceCommand('slow', ['coordinator']).action(() => serve(command, service));
await command.parseAsync([], { from: 'user' }).catch((error: unknown) => {
  process.exitCode = reportFailure(error, { json: false });
});

/** Prints something again whenever it changes, as the stream of events says, until Ctrl-C. */
import { isDeepStrictEqual } from 'node:util';
import { reasonOf } from '../failure.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal-text.ts';

interface Watched {
  read(): Promise<unknown>;
  /** For people. */
  text(value: unknown): string;
}

/** Clears the screen and begins at its top. */
const REDRAW = '\u001b[H\u001b[2J\u001b[3J';

/**
 * Reads when the stream has opened, so that no change falls between reading and listening, and again after each event of
 * these kinds. Events that come while it reads are answered by one further reading. After a break the stream resumes where it was, and what may have
 * been missed is read.
 */
export async function watch({ client, out }: Session, kinds: readonly string[], watched: Watched): Promise<void> {
  let last: { readonly value: unknown } | undefined;
  const show = async () => {
    const value = await watched.read();
    if (last !== undefined && isDeepStrictEqual(last.value, value)) return;
    const isFirst = last === undefined;
    last = { value };
    if (out.json) return out.item(value);
    const text = `${watched.text(value)}\n`;
    await out.write(process.stdout.isTTY ? `${REDRAW}${text}` : isFirst ? text : `\n${text}`);
  };
  const failed = Promise.withResolvers<never>();
  let reading = Promise.resolve();
  let waiting = false;
  const look = () => {
    if (waiting) return;
    waiting = true;
    reading = reading.then(async () => {
      waiting = false;
      await show();
    });
    reading.catch(failed.reject);
  };
  const broke = (error: unknown) =>
    out.notice(
      printable(`${error === undefined ? 'the coordinator ended the stream' : reasonOf(error)}; trying again`),
    );
  const listen = async () => {
    const type = kinds.map((kind) => `${kind}.*`).join(',');
    for await (const _ of client.events(kinds.includes('*') ? {} : { type }, { broke, opened: look })) look();
  };
  await Promise.race([listen(), failed.promise]);
}

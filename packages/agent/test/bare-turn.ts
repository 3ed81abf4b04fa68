import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CarriedNode, RELAYS, type RelayScene, setEndpoint } from './relay-scene.ts';

const CHILD = join(import.meta.dirname, 'bare-turn-child.ts');

interface Bare {
  readonly child: ChildProcess;
  say(value: unknown): void;
  hear<T>(): Promise<T>;
}

/** The nodes of a scene joined by two bare clients of TURN, for as long as WireGuard's endpoints are theirs. */
export async function startBare(scene: RelayScene) {
  const [one, two] = [bareAt(scene.one), bareAt(scene.two)];
  const { relay, credentials } = scene.wanted('bare', RELAYS[0], 'udp');
  for (const { say } of [one, two]) say({ relay, credentials });
  const [first, second] = [await one.hear<Reached>(), await two.hear<Reached>()];
  one.say(second.relayed);
  two.say(first.relayed);
  for (const { hear } of [one, two]) await hear();
  return {
    async use(): Promise<void> {
      await setEndpoint(scene.one, scene.two, `127.0.0.1:${first.port}`);
      await setEndpoint(scene.two, scene.one, `127.0.0.1:${second.port}`);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const { child } of [one, two]) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

interface Reached {
  readonly relayed: unknown;
  readonly port: number;
}

function bareAt({ place }: CarriedNode): Bare {
  const child = place.spawn(process.execPath, [CHILD]);
  if (child.stdout === null) throw new Error('it has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    say: (value) => void child.stdin?.write(`${JSON.stringify(value)}\n`),
    hear: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the bare client ended');
      return JSON.parse(value);
    },
  };
}

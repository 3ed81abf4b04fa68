import type { Posture } from '@meshwork/contract';
import type { Place } from '../../src/namespaces/index.ts';
import type { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';

/** What an agent says of itself. */
interface Standing {
  readonly status: number;
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

const ASK = `fetch('http://127.0.0.1:8080/readyz').then(
  async (answer) => process.stdout.write(JSON.stringify({ status: answer.status, ...(await answer.json()) })),
  () => process.stdout.write('null'))`;

/** Null: no agent answers. */
async function standingOf(place: Place): Promise<Standing | null> {
  return JSON.parse(await place.exec(process.execPath, ['-e', ASK])) as Standing | null;
}

export function checkOf(standing: Standing | null, name: string): { ok: boolean; detail: string } | undefined {
  return standing?.checks.find((check) => check.name === name);
}

/** Waits until an agent says of its coordinator what it should, and answers with all that it says then. */
export async function untilCoordinator(place: Place, is: 'there' | 'away'): Promise<Standing> {
  let standing: Standing | null = null;
  await until(
    async () => {
      standing = await standingOf(place);
      const check = checkOf(standing, 'coordinator');
      return is === 'there' ? check?.ok === true : check?.detail.startsWith('away since ') === true;
    },
    () => `${place.name} says that its coordinator is ${is}: ${JSON.stringify(standing)}`,
    60_000,
  );
  return standing as unknown as Standing;
}

/** Waits until an agent that was just started carries traffic again, as far as it knows. */
export async function untilReady(place: Place): Promise<void> {
  let standing: Standing | null = null;
  await until(
    async () => {
      standing = await standingOf(place);
      return standing?.ready === true;
    },
    () => `${place.name} is ready: ${JSON.stringify(standing)}`,
    60_000,
  );
}

export async function postureOf(scene: Scene, name: string): Promise<Posture> {
  const id = (await scene.lab.node(name).id()) ?? '';
  return (await scene.client.call('nodes.posture', { params: { id } })).body;
}

/** Waits until each of them has all in effect that it should, by the digests of both sides. */
export async function untilInSync(scene: Scene, names: readonly string[]): Promise<void> {
  for (const name of names) {
    let posture: Posture | undefined;
    await until(
      async () => {
        posture = await postureOf(scene, name);
        return Object.values(posture.sections).every(({ in_sync }) => in_sync);
      },
      () => `${name} is what it should be: ${JSON.stringify(posture?.sections)}`,
      60_000,
    );
  }
}

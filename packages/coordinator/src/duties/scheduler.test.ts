import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { type Clock, systemClock } from '@meshwork/time';
import { meshOnDisk } from '../../test/mesh-on-disk.ts';
import { COORDINATOR } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { SETTINGS_ID } from '../mesh/settings-of.ts';
import type { Duty } from './duty.ts';
import { Scheduler } from './scheduler.ts';

/** Notes changes of the settings, and remembers its runs. */
class NotingDuty implements Duty {
  readonly name = 'test.note';
  readonly runs: string[][] = [];
  readonly begun: string[] = [];
  /** Thrown by as many runs as there are. */
  readonly failures: Error[] = [];
  ask: () => void = () => undefined;
  #noted: string[] = [];

  readonly on = { settings: ({ revision }: { readonly revision: number }) => void this.#noted.push(`r${revision}`) };

  get pending(): boolean {
    return this.#noted.length > 0;
  }

  attach(ask: () => void): void {
    this.ask = ask;
  }

  begin(): void {
    this.begun.push('begin');
    this.#noted.push('everything');
  }

  end(): void {
    this.begun.push('end');
    this.#noted = [];
  }

  note(what: string): void {
    this.#noted.push(what);
    this.ask();
  }

  async run(): Promise<void> {
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    this.runs.push(this.#noted);
    this.#noted = [];
  }
}

async function opened(duties: readonly Duty[], clock: Clock = systemClock) {
  const disk = await meshOnDisk(clock);
  const failures: unknown[] = [];
  const scheduler = new Scheduler({ mesh: disk.mesh, duties, failed: (error) => void failures.push(error) });
  await turn(); // leadership comes in a turn of its own
  await scheduler.idle();
  return {
    mesh: disk.mesh,
    scheduler,
    failures,
    async [Symbol.asyncDispose]() {
      await scheduler.close();
      await disk[Symbol.asyncDispose]();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function change(mesh: Mesh): Promise<string> {
  await mesh.transact({ actor: COORDINATOR, action: 'test.change' }, (tx) => {
    tx.put('settings', SETTINGS_ID, DEFAULT_SETTINGS);
    tx.record({ target: null });
  });
  return `r${mesh.model.revision}`;
}

describe('a duty', () => {
  it('looks at everything when its coordinator begins to lead, and at each change from then on', async () => {
    const duty = new NotingDuty();
    await using it = await opened([duty]);
    const revision = await change(it.mesh);
    await it.scheduler.idle();
    assert.deepEqual(duty.runs, [['everything'], [revision]]);
  });

  it('runs again after it failed, with what it noted, and keeps no other waiting', async () => {
    const [failing, sound] = [new NotingDuty(), new NotingDuty()];
    await using it = await opened([failing, sound]);
    const failure = new Error('no');
    failing.failures.push(failure);
    const revision = await change(it.mesh);
    while (sound.runs.length < 2) await turn();
    await it.scheduler.idle();
    assert.deepEqual(it.failures, [failure]);
    assert.deepEqual(
      [failing.runs, sound.runs],
      [
        [['everything'], [revision]],
        [['everything'], [revision]],
      ],
    );
  });

  it('is left to the coordinator that leads, but for heartbeats that only this one received', async () => {
    const [leading, other] = [new NotingDuty(), new NotingDuty()];
    await using it = await opened([leading]);
    const failed = (error: unknown) => void it.failures.push(error);
    const second = new Scheduler({ mesh: it.mesh, duties: [other], failed });
    try {
      const revision = await change(it.mesh);
      other.note('received');
      await Promise.all([it.scheduler.idle(), second.idle()]);
      assert.deepEqual([leading.runs.at(-1), other.runs, other.begun], [[revision], [['received']], []]);
      await it.scheduler.close();
      await turn();
      await second.idle();
      assert.deepEqual([other.runs.at(-1), other.begun], [['everything'], ['begin']], 'the next takes over');
      assert.deepEqual(it.failures, []);
    } finally {
      await second.close();
    }
  });

  it('runs by time alone where it says so, once it leads', async () => {
    const ran = Promise.withResolvers<void>();
    const never: Duty = { name: 'test.never', run: () => assert.fail('it noted nothing, and no time has come') };
    await using _ = await opened([{ name: 'test.tick', every_s: 1, run: async () => ran.resolve() }, never]);
    await ran.promise;
  });

  it('runs when the moment has come that it names, and not before', async () => {
    const clock = TestClock.still();
    const ran = Promise.withResolvers<void>();
    const hour: Duty & { early: boolean } = {
      name: 'test.hour',
      next_at: clock.now() + 3_600_000,
      early: true,
      run: async () => {
        assert.equal(hour.early, false);
        ran.resolve();
      },
    };
    const ticked = Promise.withResolvers<void>();
    await using it = await opened([hour, { name: 'test.tick', every_s: 1, run: async () => ticked.resolve() }], clock);
    await ticked.promise;
    hour.early = false;
    clock.advance(3600);
    await ran.promise;
    assert.deepEqual(it.failures, []);
  });

  it('does not begin another run once the scheduler is closed', async () => {
    const duty = new NotingDuty();
    await using it = await opened([duty]);
    await it.scheduler.close();
    duty.note('too late');
    await it.scheduler.idle();
    assert.equal(duty.runs.length, 1);
  });
});

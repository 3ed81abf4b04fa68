import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Ended, mesh, Run, SUITE_MS, tempFolder } from './run-mesh.ts';

export interface RealFleet extends AsyncDisposable {
  /** Where the program runs, and looks for files. */
  readonly folder: string;
  /** Runs the program as the owner. */
  run(...args: string[]): Promise<Ended>;
  /** What it answers with `--json`, and nothing else; it must succeed. */
  answer<T>(...args: string[]): Promise<T>;
}

/** A real coordinator with three real agents, `sim-1` to `sim-3`, which have the tag `role:sim` and no kernel below them. */
export async function realFleet(): Promise<RealFleet> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await tempFolder());
  const options = { cwd: folder.path, hangs_after_ms: SUITE_MS };
  const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder.path, 'data')];
  const coordinator = started.use(new Run(args, options));
  const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
  const env = { MESH_URL: url };
  const fleet = ['fleet', '--nodes', '3', '--prefix', 'sim', '--tag', 'role:sim'];
  await started.use(new Run(fleet, { ...options, env })).said('stderr', /3 nodes {2}3 active/);
  const running = started.move();
  const run = (...args: string[]) => mesh(args, { env, cwd: folder.path });
  return {
    folder: folder.path,
    run,
    async answer<T>(...args: string[]): Promise<T> {
      const { code, stdout, stderr } = await run(...args, '--json');
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      return JSON.parse(stdout) as T;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

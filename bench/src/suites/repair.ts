import type { LabNode } from '@meshwork/lab';
import { onAllCores } from '../all-cores.ts';
import { BenchLab } from '../bench-lab.ts';
import { enrollNodes, greetAll } from '../bench-nodes.ts';
import { median, type Row } from '../measure.ts';
import { pause, until } from '../until.ts';

const SIZES = [10, 1000] as const;
const ROUNDS = 10;
const PATIENT = { nodes: { stale_after_s: 3600, unreachable_after_s: 7200 } };
/** Between two rounds, so that the agent does not take them for a fight with another program. */
const BETWEEN_MS = 3000;

/**
 * How long a node is open after another program has deleted its packet filter: from the end of `nft delete` until the kernel has
 * the table again, as `nft list tables` says, asked again and again. Compared with `nft -f`, which loads the same table in the same host.
 */
export function repairSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    await using mesh = await BenchLab.start(['a'], PATIENT);
    await mesh.allow([{ from: 'everyone', to: 'a', allow: ['icmp', 'tcp:22', 'tcp:443'] }]);
    await mesh.join('a');
    const rows: Row[] = [];
    for (const [index, size] of SIZES.entries()) {
      const first = SIZES[index - 1] ?? 0;
      await greetAll(
        mesh.coordinator,
        await enrollNodes(mesh.coordinator, { count: size - first, first, endpoints: () => [] }),
      );
      await until(async () => (await elements(mesh.node('a'))) >= size, `the filter knows ${size} peers`);
      await mesh.untilInSync('a');
      rows.push(await row(mesh.node('a'), size));
    }
    return rows;
  });
}

async function row(node: LabNode, size: number): Promise<Row> {
  const text = await node.exec('nft', ['list', 'table', 'inet', 'mesh']);
  const [open, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await took(() => node.exec('nft', ['-f', '-'], { input: text.replace('inet mesh', 'inet bare') })));
    await node.exec('nft', ['delete', 'table', 'inet', 'bare']);
    open.push(await openFor(node));
    await pause(BETWEEN_MS);
  }
  return {
    what: `open after the table was deleted, ${size.toLocaleString('en')} peers`,
    value: median(open),
    unit: 'ms',
    against: { what: 'nft -f of the same table', value: median(bare) },
    ...(size === SIZES[0] ? { aim: '≤ 200 ms' } : {}),
  };
}

/** Asked without a pause: the listing of tables alone takes milliseconds, however large they are. */
async function openFor(node: LabNode): Promise<number> {
  await node.exec('nft', ['delete', 'table', 'inet', 'mesh']);
  return await took(async () => {
    while (!(await node.exec('nft', ['list', 'tables'])).includes('table inet mesh\n'));
  });
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function elements(node: LabNode): Promise<number> {
  return (await node.exec('nft', ['list', 'set', 'inet', 'mesh', 'on_icmp4'])).split(',').length;
}

import type { LabNode } from '@meshwork/lab';

const ASK = `fetch('http://127.0.0.1:8080/metrics').then(async (answer) => process.stdout.write(await answer.text()))`;

/** Milliseconds that an agent has spent so far in making its engines what they should be, reading back included. */
export async function engineMs(node: LabNode): Promise<number> {
  const text = await node.exec(process.execPath, ['-e', ASK]);
  const seconds = /^mesh_node_reconcile_seconds_sum (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`${node.name} does not say how long its engines take`);
  return Number(seconds) * 1000;
}

/** `IpNetwork` in a process of its own: settings of the kernel are those of the namespace that a process runs in. */
import { createInterface } from 'node:readline';
import { IpNetwork } from '../src/engines/network/ip-network.ts';
import type { NetworkPlan } from '../src/engines/network/mesh-network.ts';

export interface NetworkCall {
  readonly call: 'apply' | 'narrow' | 'narrowed' | 'drift' | 'remove';
  readonly plan?: NetworkPlan;
  readonly mtus?: Readonly<Record<string, number>>;
}

export interface NetworkAnswer {
  readonly result?: string | null;
  readonly error?: string;
}

const network = new IpNetwork({ folder: process.argv[2] ?? '' });

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as NetworkCall);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function answerTo({ call, plan, mtus = {} }: NetworkCall): Promise<NetworkAnswer> {
  try {
    if (call === 'drift') return { result: await network.drift() };
    if (call === 'narrowed') return { result: JSON.stringify([...(await network.narrowed())]) };
    if (call === 'narrow') await network.narrow(new Map(Object.entries(mtus)));
    else if (call === 'remove') await network.remove();
    else if (plan !== undefined) await network.apply(plan);
    return { result: null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

import type { HeartbeatRequest, Node } from '@meshwork/contract';
import type { Exchange, ProxyOptions } from './lossy-proxy.ts';

interface Said {
  readonly seq: number;
  readonly endpoints: string;
}

/** Remembers which endpoints nodes reported, and which of those reports were answered: those must never be lost. */
export class AnsweredEndpoints implements ProxyOptions {
  /** How many reports were answered. */
  count = 0;
  readonly #said = new Map<string, Said[]>();
  readonly #answered = new Map<string, number>();

  readonly lose = (exchange: Exchange): 'nothing' => {
    const said = endpointsIn(exchange);
    if (said !== undefined) this.#said.set(said.node, [...(this.#said.get(said.node) ?? []), said]);
    return 'nothing';
  };

  readonly answered = (exchange: Exchange, status: number): void => {
    const said = status === 200 ? endpointsIn(exchange) : undefined;
    if (said === undefined) return;
    this.count += 1;
    this.#answered.set(said.node, Math.max(said.seq, this.#answered.get(said.node) ?? 0));
  };

  /** Null: the record has what was last answered, or something newer that the node reported without getting an answer. */
  lossOf({ id, endpoints }: Node): string | null {
    const answered = this.#answered.get(id);
    if (answered === undefined) return null;
    const good = (this.#said.get(id) ?? []).filter(({ seq }) => seq >= answered);
    if (good.some((said) => said.endpoints === endpoints.join())) return null;
    return `${id} is at ${endpoints.join()}, but said ${good.map((said) => said.endpoints).join(', then ')}`;
  }
}

function endpointsIn({ path, body }: Exchange): (Said & { readonly node: string }) | undefined {
  if (!path.includes('/heartbeat')) return undefined;
  const { node, seq, report } = JSON.parse(body) as HeartbeatRequest;
  return report?.endpoints === undefined ? undefined : { node, seq, endpoints: report.endpoints.join() };
}

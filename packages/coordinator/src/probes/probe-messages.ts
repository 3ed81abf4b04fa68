import { randomUUID } from 'node:crypto';
import type { NodeId, Probe, ProbeResult } from '@meshwork/contract';
import { type Journal, MESSAGE_LIMIT } from '@meshwork/store';
import { type MessagePart, PartedTexts, partsOf } from './message-parts.ts';

/** Ours: how long a probe of another coordinator is kept for a node that does not come, at most. */
const KEPT_AT_MOST_MS = 10_000;

interface Listener {
  probe(node: NodeId, probe: Probe, within_ms: number): void;
  result(node: NodeId, result: ProbeResult): void;
}

interface Message {
  readonly about: 'probe' | 'result';
  readonly sender: string;
  readonly node: NodeId;
  readonly probe?: Probe;
  readonly within_ms?: number;
  readonly result?: ProbeResult;
}

/** Probes and their results on the way between coordinators. A message that gets lost is a probe without an answer. */
export class ProbeMessages {
  readonly #journal: Pick<Journal, 'shared' | 'send' | 'receive'>;
  readonly #failed: (error: unknown) => void;
  readonly #sender = randomUUID();
  #stop: (() => Promise<void>) | undefined;

  constructor(journal: Pick<Journal, 'shared' | 'send' | 'receive'>, failed: (error: unknown) => void) {
    this.#journal = journal;
    this.#failed = failed;
  }

  listen(listener: Listener): void {
    if (!this.#journal.shared) return;
    const texts = new PartedTexts();
    this.#stop = this.#journal.receive((text) => {
      const message = read(text, texts);
      if (message === undefined || message.sender === this.#sender) return;
      const { node, probe, within_ms = 0, result } = message;
      if (probe !== undefined) listener.probe(node, probe, Math.min(within_ms, KEPT_AT_MOST_MS));
      if (result !== undefined) listener.result(node, result);
    });
  }

  passProbe(node: NodeId, probe: Probe, within_ms: number): void {
    this.#send({ about: 'probe', sender: this.#sender, node, probe, within_ms });
  }

  passResult(node: NodeId, result: ProbeResult): void {
    this.#send({ about: 'result', sender: this.#sender, node, result: fitting(result) });
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }

  #send(message: Message): void {
    if (!this.#journal.shared) return;
    const text = JSON.stringify(message);
    const fits = Buffer.byteLength(text) <= MESSAGE_LIMIT;
    // What is too long even in parts is a probe without an answer, as one that gets lost is.
    const messages = fits ? [text] : (partsOf(text) ?? []).map((part) => JSON.stringify(part));
    for (const one of messages) this.#journal.send(one).catch(this.#failed);
  }
}

/** Undefined: it is no message about probes, one of a newer version, or a part of one that is not whole yet. */
function read(text: string, texts: PartedTexts): Message | undefined {
  const message = JSON.parse(text) as Message | MessagePart;
  if (message.about === 'part') {
    const whole = texts.take(message);
    return whole === undefined ? undefined : read(whole, texts);
  }
  return message.about === 'probe' || message.about === 'result' ? message : undefined;
}

/** Ours: the result has most of a message for itself. */
const RESULT_LIMIT = MESSAGE_LIMIT - 500;

/** Rules of other programs can be more than a message holds. One in their place, which excludes nothing, keeps the answer true. */
function fitting(result: ProbeResult): ProbeResult {
  const { look } = result;
  if (look?.foreign === undefined || Buffer.byteLength(JSON.stringify(result)) <= RESULT_LIMIT) return result;
  const directions = ['in', 'out', 'forward'] as const;
  const text = `${look.foreign.length} rules of other programs; ask the coordinator that the node reports to for their text`;
  return {
    ...result,
    look: { ...look, foreign: directions.map((direction) => ({ kind: 'filter', direction, text })) },
  };
}

/**
 * Answers to challenges of authorities outside, which the coordinator asks this gateway to show: a file by plain HTTP, which nginx has in its
 * memory (`http-01`), or a certificate, which the agent shows itself (`tls-alpn-01`). Neither needs a reload. It is shown once nginx was
 * asked for it as the authority will ask, and for so long as the coordinator said.
 *
 *   challenge-place.ts, challenge-streams.ts   where authorities look          answer-server.ts   what they find by `tls-alpn-01`
 *   ../lua/challenges.ts                       what they find by `http-01`     look-at-answer.ts  looks as they do
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { IngressAssignment, ShowChallengeProbe } from '@meshwork/contract';
import { MAX_SHOWN_S } from '@meshwork/contract/vocabulary';
import type {
  MadeChallengeCertificate,
  makeChallengeCertificate,
} from '../../../certificate-requests/make-challenge-certificate.ts';
import type { AgentLog } from '../../../host/log.ts';
import { messageOf } from '../../../message-of.ts';
import type { FileAnswer } from '../control.ts';
import { MOST_CHALLENGES } from '../lua/challenges.ts';
import type { GatewayPorts } from '../nginx-input.ts';
import { served } from '../server-blocks.ts';
import type { AnswerServer } from './answer-server.ts';
import { lookAtCertificate, lookAtFile } from './look-at-answer.ts';

/** Ours: a probe may come with the section that it needs, which takes a reload first. */
const SERVED_WITHIN_MS = 5000;

interface Shown extends ShowChallengeProbe {
  /** By the clock that nothing sets. */
  readonly until_ms: number;
  readonly over: NodeJS.Timeout;
  /** Of `tls-alpn-01`. */
  readonly certificate?: MadeChallengeCertificate;
}

interface Parts {
  readonly control: { putChallenge(answer: FileAnswer): Promise<void> };
  readonly answers: AnswerServer;
  readonly makeCertificate: typeof makeChallengeCertificate;
  readonly ports: GatewayPorts;
  readonly now: () => number;
  readonly log: AgentLog;
}

export class ShownChallenges {
  readonly #parts: Parts;
  #served: readonly IngressAssignment[] = [];
  #change = Promise.withResolvers<void>();
  readonly #shown = new Map<string, Shown>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What nginx serves from now on. One that was started anew has nothing in its memory, and is sent it again. */
  async serves(section: readonly IngressAssignment[]): Promise<void> {
    this.#served = served(section.filter(({ kind }) => kind === 'http'));
    for (const [key, shown] of this.#shown) if (this.#problemOf(shown) !== undefined) await this.#forget(key);
    await this.#parts.answers.sweep();
    try {
      for (const shown of this.#shown.values()) if (shown.type === 'http-01') await this.#put(shown);
    } catch (error) {
      this.#parts.log.warn(`nginx does not know what challenges are answered with: ${messageOf(error)}`);
    }
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Resolves once it is there for those who look. */
  async show(asked: ShowChallengeProbe): Promise<void> {
    const probe = { ...asked, for_s: Math.min(Math.max(1, asked.for_s), MAX_SHOWN_S) };
    if (!probe.key_authorization.startsWith(`${probe.token}.`)) throw new Error('the answer is for another token');
    await this.#untilServed(probe);
    const key = keyOf(probe);
    if (this.#shown.size >= MOST_CHALLENGES && !this.#shown.has(key)) {
      throw new Error(`this gateway shows ${MOST_CHALLENGES} answers to challenges already`);
    }
    if (probe.type === 'http-01') {
      const shown = this.#remember(key, probe);
      await this.#put(shown);
      await lookAtFile(this.#parts.ports, probe);
    } else {
      const certificate = await this.#certificateFor(key, probe);
      this.#remember(key, probe, certificate);
      await this.#parts.answers.show(probe.hostname, certificate);
      await lookAtCertificate(this.#parts.ports, probe.hostname, certificate.certificate);
    }
  }

  /** Nothing is served any more. */
  async stop(): Promise<void> {
    this.#served = [];
    for (const key of [...this.#shown.keys()]) await this.#forget(key);
  }

  async #untilServed(probe: ShowChallengeProbe): Promise<void> {
    const over = performance.now() + SERVED_WITHIN_MS;
    for (;;) {
      const problem = this.#problemOf(probe);
      if (problem === undefined) return;
      const left = over - performance.now();
      if (left <= 0) throw new Error(problem);
      await Promise.race([this.#change.promise, pause(left, undefined, { ref: false })]);
    }
  }

  /** Why nothing can be shown for it here, in words. Undefined: it can. */
  #problemOf({ ingress, hostname, type }: ShowChallengeProbe): string | undefined {
    const found = this.#served.find((one) => one.hostname === hostname);
    if (found === undefined) return `this gateway does not serve ${hostname}`;
    if (found.id !== ingress) return `on this gateway, ${hostname} is that of another ingress`;
    return found.tls?.challenge === type ? undefined : `this gateway does not answer ${type} for ${hostname}`;
  }

  /** The same one while the answer is the same: the coordinator asks again before its time is over. */
  async #certificateFor(key: string, { hostname, key_authorization }: ShowChallengeProbe) {
    const known = this.#shown.get(key);
    if (known?.certificate !== undefined && known.key_authorization === key_authorization) return known.certificate;
    return await this.#parts.makeCertificate({ hostname, key_authorization, now_ms: this.#parts.now() });
  }

  #put({ ingress, token, key_authorization, until_ms }: Shown): Promise<void> {
    const for_s = Math.ceil((until_ms - performance.now()) / 1000);
    return this.#parts.control.putChallenge({ ingress, token, key_authorization, for_s });
  }

  #remember(key: string, probe: ShowChallengeProbe, certificate?: MadeChallengeCertificate): Shown {
    clearTimeout(this.#shown.get(key)?.over);
    const forget = () => {
      const failed = (error: unknown) => this.#parts.log.warn(`a challenge stays for longer: ${messageOf(error)}`);
      this.#forget(key).catch(failed);
    };
    const over = setTimeout(forget, probe.for_s * 1000).unref();
    const until_ms = performance.now() + probe.for_s * 1000;
    const shown: Shown = { ...probe, until_ms, over, ...(certificate === undefined ? {} : { certificate }) };
    this.#shown.set(key, shown);
    return shown;
  }

  /** What nginx has, it forgets by itself. */
  async #forget(key: string): Promise<void> {
    const shown = this.#shown.get(key);
    clearTimeout(shown?.over);
    this.#shown.delete(key);
    if (shown?.type === 'tls-alpn-01') await this.#parts.answers.hide(shown.hostname);
  }
}

/** A handshake names no token: there is one certificate for a host name. */
function keyOf({ ingress, hostname, type, token }: ShowChallengeProbe): string {
  return type === 'http-01' ? `${ingress}/${token}` : hostname;
}

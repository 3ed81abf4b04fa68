/**
 * The private socket of nginx: which generation of the configuration serves, what it is to know without a reload
 * (`live-state.ts`), and what is open. nginx is another program, so its answers are bounded in time and size, and checked.
 */
import type { IncomingMessage } from 'node:http';
import { isId, MAX_SHOWN_S } from '@meshwork/contract/vocabulary';
import { http } from '../../host/http.ts';
import { InTurn } from '../../host/in-turn.ts';
import { messageOf } from '../../message-of.ts';
import type { LiveState } from './live-state.ts';

/** Ours: it answers from memory, in milliseconds. */
const DEADLINE_MS = 2000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_GENERATION_LENGTH = 200;

interface Question {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body?: string;
  /** The status of a good answer. */
  readonly status: number;
}

export interface Cuts {
  readonly nginx: number;
  /** How many of its workers were killed, or ended in the middle of requests. */
  readonly lost_workers: number;
  readonly counts: ReadonlyMap<string, number>;
}

export interface GatewayProof {
  readonly ingress: string;
  readonly token: string;
  readonly answer: string;
  readonly for_s: number;
}

/** What an authority outside looks for by `http-01`. */
export interface FileAnswer {
  readonly ingress: string;
  readonly token: string;
  readonly key_authorization: string;
  readonly for_s: number;
}

const PLAIN = /^[A-Za-z0-9_-]{16,86}$/;
/** The contract's. */
const MAX_PROOF_S = 60;
const KEY_AUTHORIZATION = /^[A-Za-z0-9_-]{16,128}[.][A-Za-z0-9_-]{43}$/;

export class GatewayControl {
  readonly #socket_path: string;
  readonly #puts = new InTurn();

  constructor(socket_path: string) {
    this.#socket_path = socket_path;
  }

  /** Of the configuration that serves new connections now. */
  async generation(): Promise<string> {
    const { generation } = await this.#read('/generation');
    const isOne = typeof generation === 'string' && generation !== '' && generation.length <= MAX_GENERATION_LENGTH;
    if (!isOne) throw strange('/generation', 'there is no generation in it');
    return generation;
  }

  /** Replaces all that was put before. One after the other, so that an older state never comes in after a newer one. */
  async put(live: LiveState): Promise<void> {
    const body = JSON.stringify(live);
    await this.#puts.take(() => this.#ask({ method: 'PUT', path: '/live', body, status: 204 }));
  }

  /** Who visitors from the mesh are: see `identities.ts`. Replaces all that was put before. */
  async putIdentities(body: string): Promise<void> {
    await this.#puts.take(() => this.#ask({ method: 'PUT', path: '/identities', body, status: 204 }));
  }

  /** What is shown to those who try an ingress from outside: see `lua/proofs.ts`. */
  async putProof({ ingress, token, answer, for_s }: GatewayProof): Promise<void> {
    const isPlain = isId('ingress', ingress) && PLAIN.test(token) && PLAIN.test(answer);
    if (!isPlain) throw new Error('this is no proof of an ingress');
    const seconds = Math.min(Math.max(1, Math.round(for_s)), MAX_PROOF_S);
    await this.#ask({ method: 'PUT', path: '/proof', body: `${ingress} ${token} ${answer} ${seconds}`, status: 204 });
  }

  /** What is shown to an authority that gives certificates: see `lua/challenges.ts`. */
  async putChallenge({ ingress, token, key_authorization, for_s }: FileAnswer): Promise<void> {
    const isOne = KEY_AUTHORIZATION.test(key_authorization) && key_authorization.startsWith(`${token}.`);
    if (!isOne || !isId('ingress', ingress)) throw new Error('this is no answer to a challenge of an ingress');
    const seconds = Math.min(Math.max(1, Math.round(for_s)), MAX_SHOWN_S);
    const body = `${ingress} ${token} ${key_authorization} ${seconds}`;
    await this.#ask({ method: 'PUT', path: '/challenge', body, status: 204 });
  }

  /** How many connections are open, by id of the ingress. */
  async open(): Promise<ReadonlyMap<string, number>> {
    const counts = Object.entries(await this.#read('/open'));
    for (const [id, count] of counts) {
      if (!isId('ingress', id)) throw strange('/open', `${JSON.stringify(id.slice(0, 40))} is no id of an ingress`);
      if (!Number.isSafeInteger(count) || (count as number) < 0) throw strange('/open', `${id} has no count`);
    }
    return new Map(counts as [string, number][]);
  }

  /** How much was ended at deadlines, by `ID/DEADLINE`, and the process that counts it: another one counts from zero. */
  async cuts(): Promise<Cuts> {
    const { nginx, lost_workers, ...counts } = await this.#read('/cuts');
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
    const strange_one = Object.entries(counts).find(([, count]) => !isCount(count));
    if (!isCount(nginx) || !isCount(lost_workers) || strange_one !== undefined)
      throw strange('/cuts', 'it has no counts');
    return { nginx, lost_workers, counts: new Map(Object.entries(counts) as [string, number][]) };
  }

  async #read(path: string): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#ask({ method: 'GET', path, status: 200 });
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (error) {
      throw strange(path, 'it is no JSON', error);
    }
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw strange(path, 'it is no object');
    return answer as Readonly<Record<string, unknown>>;
  }

  async #ask({ method, path, body, status }: Question): Promise<string> {
    const answered = Promise.withResolvers<string>();
    const fail = (problem: string, cause?: unknown) => {
      answered.reject(new Error(`nginx does not answer on its private socket: ${problem}`, { cause }));
    };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = http.request({
      socketPath: this.#socket_path,
      method,
      path,
      headers: { host: 'localhost', 'content-type': 'application/json', connection: 'close', ...length },
      agent: false,
    });
    // A process that stood still finds the deadline and the answer at once: the answer gets its say.
    const late = () => fail(`${method} ${path} took more than ${DEADLINE_MS / 1000} s`);
    const timer = setTimeout(() => setImmediate(late), DEADLINE_MS);
    request.on('error', (error) => fail(inWords(error), error));
    const closed = () => fail(`${method} ${path}: the connection was closed without an answer`);
    request.on('close', closed);
    request.on('response', (response) => {
      request.off('close', closed); // the rest of an answer may still be read then
      collect(response, (problem, text) => {
        if (problem !== undefined) fail(`${method} ${path}: ${problem}`);
        else if (response.statusCode === status) answered.resolve(text);
        else answered.reject(new Error(`nginx answers ${method} ${path} with status ${response.statusCode}`));
      });
    });
    request.end(body);
    try {
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }
}

function collect(response: IncomingMessage, done: (problem: string | undefined, text: string) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= MAX_ANSWER_BYTES) pieces.push(piece);
    else done('the answer is larger than 4 MiB', '');
  });
  response.on('error', () => done('the answer was cut short', ''));
  response.on('end', () => done(undefined, Buffer.concat(pieces).toString('utf8')));
}

function strange(path: string, problem: string, cause?: unknown): Error {
  return new Error(`nginx answers GET ${path} with something else than expected: ${problem}`, { cause });
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no socket',
  ECONNREFUSED: 'no process listens there',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed while it was written to',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
};

function inWords(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  return WORDS[code] ?? (code.startsWith('HPE_') ? 'the answer is no HTTP' : messageOf(error));
}

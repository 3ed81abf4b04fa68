/** Stands between agents and their coordinator, sees what they say, and loses what a test wants lost. */
import { once } from 'node:events';
import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came by, and later what it was answered with. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly arrived_ms: number;
}

/** `request`: the coordinator never sees it. `answer`: the coordinator has done it, and its answer is lost. */
type Loss = 'nothing' | 'request' | 'answer';

export interface ProxyOptions {
  /** Absent: nothing is lost. */
  readonly lose?: (exchange: Exchange) => Loss;
  /** Called before the caller has the answer. */
  readonly answered?: (exchange: Exchange, status: number) => void;
}

export class LossyProxy implements AsyncDisposable {
  readonly url: string;
  /** Where the coordinator is; it may come back elsewhere. */
  target: string;
  readonly #server: Server;
  readonly #upstream = new HttpAgent({ keepAlive: true, scheduling: 'lifo' });
  readonly #options: ProxyOptions;
  #isShut = false;

  private constructor(server: Server, target: string, options: ProxyOptions) {
    this.#server = server.on('request', (incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.target = target;
    this.#options = options;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string, options: ProxyOptions = {}): Promise<LossyProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LossyProxy(server, target, options);
  }

  /** Refuses new connections and cuts those that are open. */
  shut(): void {
    this.#isShut = true;
    this.#server.closeAllConnections();
  }

  open(): void {
    this.#isShut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.shut();
    this.#upstream.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const arrived_ms = performance.now();
    try {
      const { method = 'GET', url: path = '/' } = incoming;
      const exchange = { method, path, body: await textOf(incoming), arrived_ms };
      const loss = this.#isShut ? 'request' : (this.#options.lose?.(exchange) ?? 'nothing');
      if (loss === 'request') return void outgoing.destroy();
      const answer = await this.#forward(incoming, outgoing, exchange.body);
      if (loss === 'answer' || this.#isShut || outgoing.destroyed) return void outgoing.destroy();
      this.#options.answered?.(exchange, answer.status);
      outgoing.writeHead(answer.status, answer.headers).end(answer.text);
    } catch {
      outgoing.destroy(); // whichever side broke, the other one sees it break
    }
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse, body: string) {
    const { method, headers, url } = incoming;
    const onward = request(this.target + url, { method, headers, agent: this.#upstream });
    outgoing.on('close', () => onward.destroy()); // no caller waits for it any more
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await textOf(answer) };
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of message.setEncoding('utf8')) text += piece;
  return text;
}

/** A stream of events as a page has it open: what came so far, and when it ended. */
import { type IncomingMessage, request } from 'node:http';
import type { TestBrowser } from './test-browser.ts';

export class FollowedEvents {
  text = '';
  /** Resolves when the stream is over: whether it ended in an orderly way. */
  readonly ended: Promise<boolean>;
  readonly response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8').on('data', (piece: string) => {
      this.text += piece;
    });
    response.on('error', () => undefined); // reported by `ended`
    this.ended = new Promise((resolve) => response.on('close', () => resolve(response.complete)));
  }

  static async open(browser: TestBrowser, headers: Readonly<Record<string, string>> = {}): Promise<FollowedEvents> {
    const { port } = new URL(browser.url);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        {
          hostname: '127.0.0.1',
          port,
          path: '/api/v1/coordinator/events',
          headers: { host: `localhost:${port}`, cookie, accept: 'text/event-stream', ...headers },
          agent: false,
        },
        resolve,
      )
        .on('error', reject)
        .end();
    });
    if (response.statusCode !== 200) throw new Error(`The stream was refused with ${response.statusCode}.`);
    return new FollowedEvents(response);
  }

  hangUp(): void {
    this.response.destroy();
  }
}

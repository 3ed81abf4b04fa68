/** Reads server-sent events off a real connection, as slowly as a test wants. */
import { type IncomingMessage, request } from 'node:http';

export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  /** A line that starts with a colon. */
  readonly comment?: string;
}

export interface Listening {
  readonly token: string;
  readonly query?: string;
  readonly last_event_id?: string;
}

export class EventReader implements Disposable {
  readonly response: IncomingMessage;
  readonly #frames: AsyncIterator<Frame>;

  private constructor(response: IncomingMessage) {
    this.response = response;
    this.#frames = framesOf(response);
  }

  /** Returns once the answer has begun, which is when the stream knows where it starts. */
  static async open(url: string, { token, query = '', last_event_id }: Listening): Promise<EventReader> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(last_event_id === undefined ? {} : { 'last-event-id': last_event_id }),
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}/v1/events${query}`, { headers, agent: false }, resolve).on('error', reject).end();
    });
    if (response.statusCode !== 200) throw new Error(`The stream was refused with ${response.statusCode}.`);
    response.on('error', () => undefined); // an end before its time shows as the end of the frames
    return new EventReader(response);
  }

  /** Undefined: the stream is over. */
  async next(): Promise<Frame | undefined> {
    const { value, done } = await this.#frames.next();
    return done === true ? undefined : value;
  }

  /** The next events, without the opening and the comments between them. */
  async events(count: number): Promise<Frame[]> {
    const events: Frame[] = [];
    while (events.length < count) {
      const frame = await this.next();
      if (frame === undefined) throw new Error(`The stream ended after ${events.length} of ${count} events.`);
      if (frame.event !== undefined) events.push(frame);
    }
    return events;
  }

  /** What comes until the stream ends. */
  async rest(): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (let frame = await this.next(); frame !== undefined; frame = await this.next()) frames.push(frame);
    return frames;
  }

  [Symbol.dispose](): void {
    this.response.destroy();
  }
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<Frame> {
  let text = '';
  try {
    for await (const piece of response.setEncoding('utf8')) {
      text += piece;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        yield frameOf(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  } catch {
    return; // cut off
  }
}

function frameOf(block: string): Frame {
  const fields = block.split('\n').map((line) => {
    const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    return [name === '' ? 'comment' : name, value] as const;
  });
  return Object.fromEntries(fields);
}

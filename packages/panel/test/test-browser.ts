import { request } from 'node:http';
import type { Problem, SignInState } from '@meshwork/contract';

export interface Ask {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  /** Over those that a browser sends; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface Got<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

/**
 * Behaves towards the panel as a browser with our dashboard does: keeps cookies, says where a request comes from, and sends the
 * token of the session with every write. Tests take away from that what they want to try.
 */
export class TestBrowser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  csrf: string | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** The cookie of the session, as it is sent. */
  get session(): string | undefined {
    return this.cookies.get('mesh_session');
  }

  /** Another with the same cookies and token, as an attacker has who stole them. */
  copy(): TestBrowser {
    const other = new TestBrowser(this.url);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.csrf = this.csrf;
    return other;
  }

  async ask<T = Problem>(method: string, path: string, ask: Ask = {}): Promise<Got<T>> {
    const text = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const isWrite = method !== 'GET' && method !== 'HEAD';
    const headers: Record<string, string | undefined> = {
      ...(this.cookies.size === 0 ? {} : { cookie: this.#cookieHeader() }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
      ...(isWrite ? { origin: this.url, 'x-csrf-token': this.csrf } : {}),
      'user-agent': 'test browser',
      ...ask.headers,
    };
    const got = await send<T>(new URL(path, this.url), method, headers, text);
    this.#keep(got);
    return got;
  }

  /** Fails the test when the status is another one. */
  async must<T>(status: number, method: string, path: string, ask: Ask = {}): Promise<T> {
    const got = await this.ask<T>(method, path, ask);
    if (got.status !== status) throw new Error(`${method} ${path} answered ${got.status}, not ${status}: ${got.text}`);
    return got.body;
  }

  /** Where the browser stands, as the dashboard asks when it is loaded. */
  state(): Promise<SignInState> {
    return this.must<SignInState>(200, 'GET', '/api/v1/auth/session');
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep({ headers, body }: Got<unknown>): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1);
      const split = pair.indexOf('=');
      if (/max-age=0/i.test(cookie)) this.cookies.delete(pair.slice(0, split));
      else this.cookies.set(pair.slice(0, split), pair.slice(split + 1));
    }
    if (typeof body === 'object' && body !== null && 'csrf_token' in body) this.csrf = String(body.csrf_token);
  }
}

/** With `node:http`, because `fetch` keeps Host, Origin and Cookie to itself. */
function send<T>(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string | undefined>>,
  text: string | undefined,
): Promise<Got<T>> {
  const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname: '127.0.0.1',
        port: url.port,
        path: url.pathname + url.search,
        method,
        headers: Object.fromEntries(given),
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve(gotOf<T>(response.statusCode ?? 0, response.rawHeaders, body)));
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function gotOf<T>(status: number, rawHeaders: readonly string[], text: string): Got<T> {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const isJson = /^application\/(problem\+)?json(;|$)/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: (isJson && text !== '' ? JSON.parse(text) : undefined) as T };
}

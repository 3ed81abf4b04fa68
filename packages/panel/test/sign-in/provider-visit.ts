/** A person's browser at the provider: keeps its cookies, follows redirects, fills in its forms. Plain HTTP, no script. */
export class ProviderVisit {
  readonly #cookies = new Map<string, string>();
  readonly #issuer: string;

  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  /** Signs in there as `login`, agrees, and is sent back: where to, code and state included. */
  async signIn(url: string, login: string): Promise<URL> {
    return await this.#walk(url, (page) =>
      page.includes('name="prompt" value="login"')
        ? { prompt: 'login', login, password: 'any' }
        : { prompt: 'consent' },
    );
  }

  /** Gets as far as the first form, and says no. */
  async refuse(url: string): Promise<URL> {
    return await this.#walk(url, () => null);
  }

  async #walk(from: string, fill: (page: string) => Readonly<Record<string, string>> | null): Promise<URL> {
    let next = new URL(from);
    for (let steps = 0; steps < 12; steps++) {
      if (next.origin !== new URL(this.#issuer).origin) return next;
      const answer = await this.#send(next);
      const to = answer.headers.get('location');
      if (to !== null) {
        next = new URL(to, next);
        continue;
      }
      const page = await answer.text();
      if (!answer.ok) throw new Error(`the provider answered ${answer.status}: ${page.slice(0, 500)}`);
      const form = fill(page);
      if (form === null) {
        next = new URL(`${next.pathname}/abort`, next);
        continue;
      }
      const sent = await this.#send(next, new URLSearchParams(form));
      next = new URL(sent.headers.get('location') ?? '', next);
    }
    throw new Error('the provider sends the browser in circles');
  }

  async #send(url: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const text of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (text.split(';', 1)[0] ?? '').split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

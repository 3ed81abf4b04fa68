/** An ingress with a WAF policy, served by a gateway that is a test's to play. */
import { type Ingress, newId, type WafEvent, type WafMatch, type WafPolicy, type WafReport } from '@meshwork/contract';
import { type Got, PLATFORM, type TestCoordinator } from './harness.ts';
import { EVERYTHING, TestNode } from './test-node.ts';

export interface List<T> {
  items: T[];
  next_cursor: string | null;
}

let made = 0;

/** A rule of the rule set that matched in the argument `q`. */
export function sqlMatch(more: Partial<WafMatch> = {}): WafMatch {
  return {
    rule: 942100,
    name: null,
    message: 'SQL Injection Attack Detected via libinjection',
    severity: 'critical',
    score: 5,
    paranoia: 1,
    counts: true,
    tags: ['attack-sqli'],
    parameter: { part: 'argument', name: 'q' },
    fragment: "1' OR '1'='1",
    ...more,
  };
}

export class WafScene {
  readonly mesh: TestCoordinator;
  readonly scope: typeof PLATFORM;
  /** May do everything inside of the scope, and nothing outside. */
  readonly token: string;
  readonly gateway: TestNode;
  readonly policy: WafPolicy;
  readonly ingress: Ingress;

  private constructor(parts: Pick<WafScene, 'mesh' | 'scope' | 'token' | 'gateway' | 'policy' | 'ingress'>) {
    this.mesh = parts.mesh;
    this.scope = parts.scope;
    this.token = parts.token;
    this.gateway = parts.gateway;
    this.policy = parts.policy;
    this.ingress = parts.ingress;
  }

  /** In a team of its own, unless one is given. */
  static async open(
    mesh: TestCoordinator,
    more: { readonly policy?: object; readonly team?: string } = {},
  ): Promise<WafScene> {
    const { team = `waf${++made}` } = more;
    const scope = { ...PLATFORM, team };
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const gateway = await TestNode.enroll(mesh, { name: `gw-${team}`, tags: ['role:gateway'], token });
    await gateway.beat({ complete: true, report: { abilities: EVERYTHING } });
    const policy = await must<WafPolicy>(
      mesh.ask('POST', '/v1/waf/policies', { token, body: { name: 'public', mode: 'block', ...more.policy } }),
    );
    const body = {
      name: 'git',
      hostname: `${team}.example.net`,
      service: 'git-http',
      gateways: ['tag:role:gateway'],
      waf: policy.id,
      scope,
    };
    // As the owner of the mesh, who may use any host name.
    const ingress = await must<Ingress>(mesh.ask('POST', '/v1/ingress', { body }));
    const scene = new WafScene({ mesh, scope, token, gateway, policy, ingress });
    await mesh.until(async () => (await scene.shownIngress()).assigned_to.length === 1);
    return scene;
  }

  async shownIngress(): Promise<Ingress> {
    return must<Ingress>(this.ask('GET', `/v1/ingress/${this.ingress.id}`));
  }

  async shownPolicy(): Promise<WafPolicy> {
    return must<WafPolicy>(this.ask('GET', `/v1/waf/policies/${this.policy.id}`));
  }

  ask<T>(method: string, path: string, more: object = {}): Promise<Got<T>> {
    return this.mesh.ask<T>(method, path, { token: this.token, ...more });
  }

  /** What the gateway found now, or some seconds before. */
  report(more: Partial<WafReport> = {}, ago_s = 0): WafReport {
    return {
      id: newId('wafevent', this.mesh.clock.now() - ago_s * 1000),
      policy: this.policy.id,
      ingress: this.ingress.id,
      route: '/',
      method: 'GET',
      host: this.ingress.hostname,
      path: '/search',
      address: '192.0.2.7',
      request_id: '0f8c6e2d4b1a49e79c0d3f5a6b7c8d9e',
      status: 403,
      verdict: 'blocked',
      score_in: 5,
      score_out: 0,
      matches: [sqlMatch()],
      matches_left_out: 0,
      ...more,
    };
  }

  /** Sent with a heartbeat, which has to be answered. */
  async send(...events: readonly WafReport[]): Promise<void> {
    const got = await this.gateway.beat({ observed: { waf: { events: [...events] } } });
    if (got.status !== 200) throw new Error(got.text);
  }

  async events(query = '', token = this.token): Promise<List<WafEvent>> {
    const path = `/v1/waf/events?ingress=${this.ingress.id}${query}`;
    return must<List<WafEvent>>(this.mesh.ask('GET', path, { token }));
  }
}

async function must<T>(asked: Promise<Got<unknown>>): Promise<T> {
  const { status, text, body } = await asked;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body as T;
}

/** A gateway that blocks what asks for a cat, and what of it gets to a coordinator. */
import assert from 'node:assert/strict';
import type { Agent } from 'node:http';
import type { WafObserved, WafReport } from '@meshwork/contract';
import type { GatewayScene, Service } from './gateway-scene.ts';
import { ingressOf, routeOf } from './ingress-section.ts';
import { until } from './namespaces.ts';
import { policyOf, ruleOf, wafId } from './waf-section.ts';

type LeftOut = NonNullable<WafObserved['left_out']>[number];

const WWW = 'www-1.example.com';
const RULES = [ruleOf({ name: 'No cats', when: [{ name: 'pet', test: 'equals', values: ['cat'] }] })];

/** A record of the engine, so long, of a request that no policy of the gateway judged. */
export const OTHER_RECORD = `${JSON.stringify({
  transaction: {
    client_ip: '127.0.0.1',
    unique_id: 'other',
    request: { method: 'GET', uri: `/${'x'.repeat(10_000)}` },
    response: { http_code: 200 },
    messages: [],
  },
})}\n`;

export function blockingCats(scene: GatewayScene, web: Service) {
  /** A connection that its worker closes while a request is on its way was not read: it is sent again, as browsers do. */
  const block = async (agent?: Agent): Promise<void> => {
    const asked = { path: '/?pet=cat', ...(agent === undefined ? {} : { agent }) };
    const answer = await scene.ask(WWW, asked).catch((error: NodeJS.ErrnoException) => {
      if (agent === undefined || error.code !== 'ECONNRESET') throw error;
    });
    if (answer === undefined) return await block(agent);
    assert.equal(answer.status, 403);
  };
  return {
    block,
    serve: (over = {}, by = scene.server) =>
      by.serve({
        section: [ingressOf(1, { routes: [routeOf({ targets: [web.target(1)], waf: wafId(1) })] })],
        ca: undefined,
        policies: [policyOf(1, { rules: RULES, ...over })],
      }),
    /** What a coordinator adds up, until it has so many. */
    collected: async (count: number, waf = scene.waf) => {
      const events = new Map<string, WafReport>();
      const left_out = new Map<string, LeftOut>();
      const sum = () => events.size + [...left_out.values()].reduce((all, { blocked }) => all + blocked, 0);
      await until(`${count} events`, async () => {
        await waf.read();
        const observed = waf.observed() ?? {};
        for (const event of observed.events ?? []) events.set(event.id, event);
        for (const one of observed.left_out ?? []) left_out.set(one.id, one);
        await waf.reported(observed);
        return sum() >= count && !waf.observed()?.events;
      });
      return { events: [...events.values()], left_out: [...left_out.values()], sum: sum() };
    },
  };
}

/** An ingress with a WAF policy: one gateway that has it in force and one that has not, events of every verdict, an exclusion and a draft. */
import {
  newId,
  type Observed,
  SECTIONS,
  type Section,
  type WafLeftOut,
  type WafMatch,
  type WafReport,
} from '@meshwork/contract';
import { MARKUP } from './markup.ts';
import type { Scene } from './scene.ts';
import { until } from './until.ts';

export const POLICY = 'public';
export const GATEWAY = 'web-1';
const SCOPE = { team: 'shop', surface: '*', environment: 'production' } as const;
const HOUR_MS = 3_600_000;

export interface WafScene {
  readonly policy: string;
  readonly ingress: string;
  /** Of a search that a rule was wrong about. */
  readonly event: string;
}

const made = new WeakMap<Scene, Promise<WafScene>>();

/** Made once in a scene, though several visits want it at once. */
export function aWaf(scene: Scene): Promise<WafScene> {
  const there = made.get(scene) ?? make(scene);
  made.set(scene, there);
  return there;
}

async function make(scene: Scene): Promise<WafScene> {
  const { client } = scene;
  const { body } = await client.call('waf.create', {
    body: {
      ...{ name: POLICY, note: 'What the shop shows to everyone.', mode: 'block', scope: SCOPE },
      paranoia: { block: 1, detect: 2 },
      requests: { arguments_most: 255, denied_extensions: ['exe', 'php'] },
      clients: { trusted: ['10.0.0.0/8'], denied: ['198.51.100.0/24'] },
      rules: [
        {
          ...{ name: 'no-xmlrpc', action: 'block', score: 0 },
          when: [{ part: 'path', name: null, test: 'equals', values: ['/xmlrpc.php'], negated: false, transforms: [] }],
        },
      ],
    },
  });
  const policy = body.id;
  await client.call('waf.create', { body: { name: 'strict', scope: SCOPE, paranoia: { block: 2, detect: 3 } } });
  const ingress = await anIngressOf(scene, policy);
  const event = await reportsEvents(scene, policy, ingress);
  const place = { rule: 942_100, tag: null, host: 'store.example.net', below: false } as const;
  await client.call('waf.exclude', {
    params: { id: policy },
    body: {
      ...{ ...place, path: '/admin/query', parameter: { part: 'argument', name: 'sql' }, draft: false },
      note: 'The console of the database team.',
    },
  });
  await client.call('waf.exclude', {
    params: { id: policy },
    body: { ...place, path: '/reports', parameter: { part: 'argument', name: 'filter' }, event },
  });
  return { policy, ingress, event };
}

/** What a simulated agent carries. */
const CARRIED = (Object.keys(SECTIONS) as Section[]).filter((name) => name !== 'trust' && name !== 'certificate');

async function anIngressOf(scene: Scene, policy: string): Promise<string> {
  const { client } = scene;
  // As a gateway with the packages of Debian 12.
  const engines = { nginx: '1.22.1', modsecurity: '3.0.9', crs: '3.3.4' };
  scene.node(GATEWAY).report({ abilities: { sections: CARRIED, engines } });
  const { body } = await client.call('ingress.create', {
    body: {
      ...{ name: 'store', hostname: 'store.example.net', service: 'shop-web', scope: SCOPE },
      gateways: [`node:${GATEWAY}`],
      tls: { certificate: 'none' },
      waf: policy,
      routes: [{ path: '/health', service: 'shop-web', waf: null }],
    },
  });
  await until('the gateway has the policy in force', async () => {
    const { gateways } = (await client.call('waf.show', { params: { id: policy } })).body;
    return gateways.some(({ in_force, rule_set }) => in_force && rule_set === '3.3.4');
  });
  return body.id;
}

const MATCH: WafMatch = {
  ...{ rule: 942_100, name: null, message: 'SQL Injection Attack Detected via libinjection', severity: 'critical' },
  ...{ score: 5, paranoia: 1, counts: true, tags: ['attack-sqli', 'paranoia-level/1'] },
  parameter: { part: 'argument', name: 'q' },
  fragment: "1' OR '1'='1",
};
const SCRIPT: WafMatch = {
  ...{ ...MATCH, rule: 941_110, message: 'XSS Filter - Category 1: Script Tag Vector', tags: ['attack-xss'] },
  fragment: MARKUP,
};
const SECRET: WafMatch = { ...MATCH, parameter: { part: 'header', name: 'Authorization' }, fragment: null };
const HIGHER: WafMatch = {
  ...{ ...MATCH, rule: 942_200, message: 'Detects MySQL comment-/space-obfuscated injections', paranoia: 2 },
  counts: false,
};
const OWN: WafMatch = {
  ...{ ...MATCH, rule: 100, name: 'no-xmlrpc', message: 'Rule of the operator', tags: [] },
  ...{ score: 0, paranoia: 0, parameter: null, fragment: '/xmlrpc.php' },
};

async function reportsEvents(scene: Scene, policy: string, ingress: string): Promise<string> {
  const now = scene.panel.clock.now();
  const report = (hours_ago: number, of: Partial<WafReport>): WafReport => ({
    ...{ id: newId('wafevent', now - hours_ago * HOUR_MS), policy, ingress, route: '/', method: 'GET' },
    ...{
      host: 'store.example.net',
      path: '/search',
      address: '203.0.113.7',
      request_id: '0f8c6e2d4b1a49e79c0d3f5a6b7c8d9e',
    },
    ...{ status: 403, verdict: 'blocked', score_in: 5, score_out: 0, matches: [MATCH], matches_left_out: 0 },
    ...of,
  });
  const search = report(0.2, { matches: [MATCH, HIGHER], path: '/search' });
  const events = [
    ...Array.from({ length: 12 }, (_, index) =>
      report(20 - index, { address: `203.0.113.${20 + (index % 3)}`, path: index % 2 === 0 ? '/search' : '/login' }),
    ),
    report(5, { method: 'POST', path: '/login', matches: [SECRET], address: '2001:db8:7::12' }),
    report(4, { matches: [SCRIPT, MATCH], score_in: 10, matches_left_out: 3 }),
    report(3, { path: '/xmlrpc.php', matches: [OWN], score_in: 0 }),
    report(2, { verdict: 'detected', status: 200 }),
    report(1, { verdict: 'scored', status: 200, score_in: 3, matches: [{ ...MATCH, score: 3, severity: 'warning' }] }),
    search,
  ];
  const left_out: WafLeftOut[] = [
    {
      ...{ id: newId('wafevent', now - HOUR_MS), policy, ingress },
      from: new Date(now - 2 * HOUR_MS).toISOString(),
      to: new Date(now - HOUR_MS).toISOString(),
      ...{ blocked: 420, detected: 0, scored: 17 },
    },
  ];
  scene.node(GATEWAY).plane.setObserved((observed: Observed) => ({ ...observed, waf: { events, left_out } }));
  const { client } = scene;
  await until('the events are recorded', async () => {
    const { items } = (await client.call('waf.events', { query: { policy } })).body;
    return items.length === events.length;
  });
  scene.node(GATEWAY).plane.setObserved((observed: Observed) => observed);
  return search.id;
}

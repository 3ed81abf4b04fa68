/** `mesh waf test`: a request for the test bench, made of flags as curl has them, and what came of it. */
import type { RequestOf } from '@meshwork/client';
import type { WafPolicy, WafTested } from '@meshwork/contract';
import { Option } from 'commander';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import type { Output } from '../../output.ts';
import { fields } from '../../table.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';
import { header } from '../ingress/read-ingress.ts';
import { matchesText, TINTS, VERDICTS } from './event-text.ts';

type TestRequest = RequestOf<'waf.test'>['body']['request'];

interface Flags {
  readonly uri: string;
  readonly method?: string;
  readonly host?: string;
  readonly header?: readonly string[];
  readonly body?: string;
  readonly address?: string;
}

/** Of a network for documentation: no client has it. */
const NO_CLIENT = '192.0.2.1';
const NO_HOST = 'localhost';
/** A request without these is suspicious by itself. */
const USUAL_HEADERS = { 'user-agent': 'mesh-waf-test', accept: '*/*' } as const;
const FORM = 'application/x-www-form-urlencoded';

export const testRequest: CommandWords<WafTested> = {
  summary: 'Try a request on a WAF policy',
  help: `The request reaches no service and is no event. What is left out is as in a usual request: GET, the first host
name that uses the policy, a user agent, and an address that no client has.

Examples:
  mesh waf test public --uri "/search?q=1' OR '1'='1"
  mesh waf test public --uri /login --body 'user=ada&note=<script>alert(1)</script>'
  mesh waf test public --uri /api --header 'Content-Type: application/json' --body '{"q":"a"}'

Exits with ${EXIT_CODES.done.code} when the request passes, with ${EXIT_CODES.waf_blocked.code} when it is refused, and with ${EXIT_CODES.waf_detected.code} when it passes
only because the policy is in the mode detect.`,
  only: ['gateway'],
  parameters: { gateway: { help: 'the node that tries it (default: any that can)', completes: 'node' } },
  options: () => [
    new Option('--uri <uri>', 'path and query; what has to be encoded is').makeOptionMandatory(),
    new Option('--method <method>', 'its method (default: as curl has it)'),
    new Option('--host <host>', 'the host name (default: the first that uses the policy)'),
    new Option('--header <header...>', "a header: 'Content-Type: application/json'"),
    new Option('--body <text>', 'what it carries'),
    new Option('--address <address>', `where it comes from (default: ${NO_CLIENT})`),
  ],
  async run(running) {
    const { request, send, out } = running;
    request.body = { ...(request.body as object), request: await requestOf(running) };
    const tested = await send();
    await out.result(tested, () => testedText(tested, out));
    process.exitCode = EXIT_CODES[EXITS[tested.verdict]].code;
  },
};

const EXITS: Readonly<Record<WafTested['verdict'], Exit>> = {
  passed: 'done',
  scored: 'done',
  blocked: 'waf_blocked',
  detected: 'waf_detected',
};

async function requestOf({ client, request: { params }, options }: Running<WafTested>): Promise<TestRequest> {
  const flags = options as unknown as Flags;
  const host = flags.host ?? (await firstHost(client, params.id ?? ''));
  return wantedRequest({ ...flags, host });
}

async function firstHost(client: Running['client'], id: string): Promise<string> {
  const { used_by } = (await client.call('waf.show', { params: { id } })).body as WafPolicy;
  return used_by[0]?.hostname ?? NO_HOST;
}

function wantedRequest(flags: Flags & { readonly host: string }): TestRequest {
  const { uri, method, host, body, address = NO_CLIENT } = flags;
  const given = (flags.header ?? []).map(header);
  const has = (name: string) => given.some((one) => one.name.toLowerCase() === name);
  const usual = { ...USUAL_HEADERS, ...(body === undefined ? {} : { 'content-type': FORM }) };
  return {
    method: (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase(),
    host: host.toLowerCase(),
    uri: uri.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent),
    headers: [
      ...Object.entries(usual).flatMap(([name, value]) => (has(name) ? [] : [{ name, value }])),
      // As with curl, `User-Agent:` is a request without one.
      ...given.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    ],
    body: body ?? null,
    address,
  };
}

function testedText(tested: WafTested, out: Pick<Output, 'strong' | 'tinted'>): string {
  const { verdict, status, score_in, gateway, rule_set } = tested;
  return [
    out.tinted(TINTS[verdict], VERDICTS[verdict]),
    fields([
      ['answer', status === 200 ? '200: it would have reached the service' : String(status)],
      ['score', String(score_in)],
      ['gateway', `${gateway}, rule set ${rule_set}`],
    ]),
    ...matchesText(tested, out),
  ].join('\n\n');
}

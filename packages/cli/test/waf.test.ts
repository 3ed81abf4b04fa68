/** What `mesh waf` asks for, and what it says of what it gets. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json } from '@meshwork/client/testing';
import { OPERATIONS, type WafTested } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

type Answers = Parameters<typeof exampleServer>[0];

const policy = OPERATIONS['waf.show'].example.answer;
const event = OPERATIONS['waf.event'].example.answer;
const proposal = OPERATIONS['waf.propose'].example.answer;
const tested: WafTested = OPERATIONS['waf.test'].example.answer;
const [proposed] = proposal.exclusions;
assert.ok(proposed !== undefined);
const { replay: _, ...exclusion } = proposed;

async function ran(args: readonly string[], answers: Answers = {}) {
  await using server = await exampleServer(answers);
  const done = await mesh(args, { env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' } });
  const bodies = server.seen.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body));
  return { ...done, bodies, urls: server.seen.map(({ method, url }) => `${method} ${url}`) };
}

async function sent(args: readonly string[], answers: Answers = {}): Promise<unknown> {
  const { code, stderr, bodies } = await ran(args, answers);
  assert.equal(code, 0, stderr);
  return bodies.at(-1);
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr, urls } = await ran(args);
  assert.deepEqual([code, urls], [2, []], stderr);
  return stderr;
}

describe('the flags of a WAF policy', { concurrency: 2 }, () => {
  it('say all of it', async () => {
    const levels = '--mode block --paranoia 2 --detect-paranoia 3 --threshold-in 7 --threshold-out 6 --sampling 50';
    const requests =
      '--method GET POST --content-type application/json --body-limit 13MB --arguments 255 --argument-length 400 --file-limit 1MB --deny-extension exe php';
    const clients = '--trust 10.0.0.0/8 --deny 198.51.100.0/24 --country DE AT --deny-country KP';
    const rule = ['--rule', 'no-xmlrpc: block if path equals /xmlrpc.php'];
    const flags = `${levels} ${requests} ${clients} --early-blocking --inspect-responses`.split(' ');
    assert.deepEqual(await sent(['waf', 'create', 'public', ...flags, ...rule]), {
      name: 'public',
      mode: 'block',
      paranoia: { block: 2, detect: 3 },
      thresholds: { inbound: 7, outbound: 6 },
      sampling_percent: 50,
      early_blocking: true,
      inspect_responses: true,
      requests: {
        methods: ['GET', 'POST'],
        content_types: ['application/json'],
        body_bytes: 13_000_000,
        arguments_most: 255,
        argument_bytes: 400,
        file_bytes: 1_000_000,
        denied_extensions: ['exe', 'php'],
      },
      clients: {
        trusted: ['10.0.0.0/8'],
        denied: ['198.51.100.0/24'],
        allowed_countries: ['DE', 'AT'],
        denied_countries: ['KP'],
      },
      rules: [
        {
          name: 'no-xmlrpc',
          when: [{ part: 'path', name: null, test: 'equals', values: ['/xmlrpc.php'], negated: false, transforms: [] }],
          action: 'block',
          score: 0,
        },
      ],
    });
  });

  it('change only what is named, and take lists and limits away again', async () => {
    assert.deepEqual(await sent(['waf', 'set', 'public', '--detect-paranoia', '3']), { paranoia: { detect: 3 } });
    const flags =
      '--no-note --no-content-type --no-arguments --no-argument-length --no-file-limit --no-deny-extension --no-trust --no-deny --no-country --no-deny-country --no-rule --no-early-blocking --no-inspect-responses';
    assert.deepEqual(await sent(['waf', 'set', 'public', ...flags.split(' ')]), {
      note: null,
      early_blocking: false,
      inspect_responses: false,
      requests: {
        content_types: [],
        arguments_most: null,
        argument_bytes: null,
        file_bytes: null,
        denied_extensions: [],
      },
      clients: { trusted: [], denied: [], allowed_countries: [], denied_countries: [] },
      rules: [],
    });
  });

  it('are refused with what would be right', async () => {
    assert.match(await refused('waf', 'set', 'public', '--paranoia', '5'), /whole number from 1 to 4/);
    assert.match(await refused('waf', 'set', 'public', '--mode', 'on'), /off, detect, block/);
    assert.match(await refused('waf', 'set', 'public', '--rule', 'no-wp: block'), /NAME: ACTION if PART TEST VALUES/);
  });

  it('are on an ingress too, which can lose its policy', async () => {
    assert.deepEqual(await sent(['ingress', 'set', 'git', '--waf', 'public']), { waf: 'public' });
    assert.deepEqual(await sent(['ingress', 'set', 'git', '--no-waf']), { waf: null });
  });
});

describe('mesh waf test', { concurrency: 2 }, () => {
  it('makes the rest of the request as usual', async () => {
    const { bodies } = await ran(['waf', 'test', 'public', '--uri', "/search?q=1' OR '1'='1"]);
    assert.deepEqual(bodies.at(-1), {
      request: {
        method: 'GET',
        host: policy.used_by[0]?.hostname,
        uri: "/search?q=1'%20OR%20'1'='1",
        headers: [
          { name: 'user-agent', value: 'mesh-waf-test' },
          { name: 'accept', value: '*/*' },
        ],
        body: null,
        address: '192.0.2.1',
      },
    });
  });

  it('takes all of it from flags', async () => {
    const args =
      '--uri /api --method put --host Shop.example.net --address 203.0.113.7 --gateway gw-2 --body {"q":1}'.split(' ');
    const headers = ['--header', 'User-Agent:', 'Content-Type: application/json'];
    const { bodies } = await ran(['waf', 'test', 'public', ...args, ...headers]);
    assert.deepEqual(bodies.at(-1), {
      gateway: 'gw-2',
      request: {
        method: 'PUT',
        host: 'shop.example.net',
        uri: '/api',
        headers: [
          { name: 'accept', value: '*/*' },
          { name: 'Content-Type', value: 'application/json' },
        ],
        body: '{"q":1}',
        address: '203.0.113.7',
      },
    });
  });

  it('tells by its exit code what came of it', async () => {
    const codeOf = async (verdict: WafTested['verdict']) =>
      (
        await ran(['waf', 'test', 'public', '--uri', '/'], {
          'waf.test': (response) => json(response, { ...tested, verdict }),
        })
      ).code;
    assert.deepEqual(
      [await codeOf('passed'), await codeOf('scored'), await codeOf('blocked'), await codeOf('detected')],
      [0, 0, 14, 15],
    );
  });
});

describe('events and exclusions', { concurrency: 2 }, () => {
  it('are found by time, ingress and rule', async () => {
    const { urls, stdout } = await ran(['waf', 'events', '--since', '1h', '--ingress', 'git', '--rule', '942100']);
    assert.match(urls[0] ?? '', /^GET \/v1\/waf\/events\?.*ingress=git.*rule=942100.*from=2/);
    assert.match(stdout, /blocked +5 +192\.0\.2\.7 +GET git\.example\.net\/search +942100/);
    const { stderr } = await ran(['waf', 'events'], {
      'waf.events': (response) => json(response, { items: [], next_cursor: null }),
    });
    assert.match(stderr, /^no events$/m);
  });

  it('an event shows each match, and says where a fragment may be a secret', async () => {
    const [match] = event.matches;
    assert.ok(match !== undefined);
    const matches = [match, { ...match, rule: 932_100, fragment: null }];
    const { stdout } = await ran(['waf', 'event', event.id], {
      'waf.event': (response) => json(response, { ...event, matches }),
    });
    assert.match(stdout, /942100 +5 +argument:q +"1' OR '1'='1"/);
    assert.match(stdout, /932100 +5 +argument:q +not recorded: may be a secret/);
  });

  it('a proposal says what else it would let through, and how to save it', async () => {
    const { stdout } = await ran(['waf', 'propose', event.id]);
    assert.match(stdout, /rule 942100 does not look at argument:q of requests to git\.example\.net\/search/);
    assert.match(stdout, /Of 1 event since .*, it concerns 1 and would have let 1 request through\./);
    assert.ok(stdout.includes(`mesh waf exclude ${event.id}`), stdout);
    const why_none = 'A rule of the operator refused it.';
    const none = await ran(['waf', 'propose', event.id], {
      'waf.propose': (response) => json(response, { ...proposal, exclusions: [], why_none }),
    });
    assert.match(none.stdout, /No exclusion lets the request through: A rule of the operator refused it\./);
  });

  it('an event adds what is proposed for it as drafts', async () => {
    const { code, bodies, urls, stderr } = await ran(['waf', 'exclude', event.id, '--note', 'search of Ada']);
    assert.equal(code, 0, stderr);
    assert.equal(urls.at(-1), `POST /v1/waf/policies/${policy.id}/exclusions`);
    assert.deepEqual(bodies.at(-1), { ...exclusion, note: 'search of Ada', event: event.id });
    assert.match(stderr, /^draft: rule 942100 does not look at argument:q/m);
    const why_none = 'A rule of the operator refused it.';
    const none = await ran(['waf', 'exclude', event.id], {
      'waf.propose': (response) => json(response, { ...proposal, exclusions: [], why_none }),
    });
    assert.equal(none.code, 5);
    assert.match(none.stderr, /A rule of the operator refused it/);
  });

  it('flags say one, which is replayed or added', async () => {
    const flags = '--rule 942100 --host git.example.net --path /search --parameter argument:q'.split(' ');
    assert.deepEqual(await sent(['waf', 'replay', 'public', ...flags]), exclusion);
    assert.deepEqual(await sent(['waf', 'exclude', 'public', ...flags, '--enforce']), { ...exclusion, draft: false });
    const tag = '--tag attack-sqli --host git.example.net --path /search --below'.split(' ');
    const wide = { ...exclusion, rule: null, tag: 'attack-sqli', below: true, parameter: null };
    assert.deepEqual(await sent(['waf', 'exclude', 'public', ...tag]), wide);
    assert.match(await refused('waf', 'exclude', 'public', '--rule', '942100'), /--host and --path/);
    assert.match(await refused('waf', 'exclude', 'public', '--host', 'a', '--path', '/'), /--rule or --tag/);
    assert.match(await refused('waf', 'exclude', event.id, '--rule', '942100'), /an event says itself/);
  });

  it('one that the policy has is replayed by its id', async () => {
    const kept = OPERATIONS['waf.exclude'].example.answer;
    const [known] = kept.exclusions;
    const shown: Answers = { 'waf.show': (response) => json(response, kept) };
    assert.deepEqual(await sent(['waf', 'replay', 'public', known?.id ?? ''], shown), exclusion);
    const other = await ran(['waf', 'replay', 'public', 'wafexclusion_01jcqvc37ee3xv9k7d0w8m2b4m'], shown);
    assert.deepEqual([other.code, other.urls.length], [4, 1]);
  });

  it('one is put in force and removed by its id', async () => {
    const id = 'wafexclusion_01jcqvc37ee3xv9k7d0w8m2b4n';
    const enforced = await ran(['waf', 'enforce', 'public', id]);
    assert.deepEqual(enforced.urls, [`POST /v1/waf/policies/public/exclusions/${id}/enforce`]);
    assert.match(enforced.stdout, / in force +942100 +argument:q +git\.example\.net\/search /);
    const included = await ran(['waf', 'include', 'public', id]);
    assert.equal(included.stdout, `removed ${id} from policy public\n`);
  });

  it('are counted', async () => {
    const example = OPERATIONS['waf.summary'].example.answer;
    const { stdout } = await ran(['waf', 'summary', '--policy', 'public'], {
      'waf.summary': (response) =>
        json(response, { ...example, blocked: 9, left_out: { blocked: 8, detected: 0, scored: 0 } }),
    });
    assert.match(stdout, /^blocked +9, of which gateways only counted 8$/m);
    assert.match(stdout, /^942100 +1 +0 +0 +SQL Injection/m);
  });
});

it('a policy that is in use is not removed without a word', async () => {
  const { code, stderr, urls } = await ran(['waf', 'remove', 'public']);
  assert.deepEqual([code, urls], [2, []]);
  assert.match(stderr, /removing WAF policy public cannot be undone/);
});

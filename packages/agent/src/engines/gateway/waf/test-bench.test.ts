/** A request that is tried on a policy, apart from what serves. */
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Probe } from '@meshwork/contract';
import { countryFile } from '../../../../test/country-file.ts';
import { newFolder } from '../../../../test/new-folder.ts';
import { exclusionOf, policyOf, ruleOf } from '../../../../test/waf-section.ts';
import { allProcesses } from '../../../host/processes.ts';
import { TestBench } from './test-bench.ts';

type WafProbe = NonNullable<Probe['waf']>;

const SQLI = encodeURIComponent("1' or '1'='1");
const RULES = '/usr/share/modsecurity-crs';
const AMERICAN = '198.51.100.7';
const GERMAN = '203.0.113.7';
const OF_NO_COUNTRY = '192.0.2.7';

function probeOf(policy: WafProbe['policy'], request: Partial<WafProbe['request']> = {}): WafProbe {
  const usual = { method: 'GET', host: 'www-1.example.com', uri: '/', headers: [], body: null, address: '192.0.2.7' };
  return { policy, request: { ...usual, ...request }, within_ms: 10_000 };
}

async function bench(countries?: string) {
  const folder = await newFolder();
  const made = new TestBench({ folder: folder.path, rules: RULES, countries });
  const signal = new AbortController().signal;
  return {
    folder: folder.path,
    bench: made,
    tried: (policy: WafProbe['policy'], request?: Partial<WafProbe['request']>) =>
      made.try(probeOf(policy, request), signal),
    left: async () => ({
      files: await readdir(folder.path),
      processes: (await allProcesses()).filter(({ title }) => title.includes(folder.path)).length,
    }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the test bench', { timeout: 100_000 }, () => {
  it('says what becomes of a request, and leaves nothing', async () => {
    await using one = await bench();
    const { verdict, status, score_in, matches, rule_set } = await one.tried(policyOf(1), { uri: `/?q=${SQLI}` });
    assert.deepEqual([verdict, status, score_in, rule_set], ['blocked', 403, 5, '3.3.4']);
    assert.equal(matches[0]?.rule, 942100);
    assert.deepEqual(
      await one.tried(policyOf(1), {
        uri: '/?q=hello',
        headers: [
          { name: 'User-Agent', value: 'x' },
          { name: 'Accept', value: '*/*' },
        ],
      }),
      {
        verdict: 'passed',
        status: 200,
        score_in: 0,
        matches: [],
        matches_left_out: 0,
        rule_set: '3.3.4',
      },
    );
    const detected = await one.tried(policyOf(1, { mode: 'detect', sampling_percent: 1 }), { uri: `/?q=${SQLI}` });
    assert.deepEqual([detected.verdict, detected.status], ['detected', 200], 'not by chance');
    assert.deepEqual(await one.left(), { files: [], processes: 0 });
  });

  it('tries bodies, hosts and addresses as they are given', async () => {
    await using one = await bench();
    const body = JSON.stringify({ text: '<script>alert(1)</script>' });
    const headers = [{ name: 'Content-Type', value: 'application/json' }];
    assert.equal((await one.tried(policyOf(1), { method: 'POST', headers, body })).verdict, 'blocked');
    const small = policyOf(1, { requests: { body_bytes: 10 } });
    assert.equal((await one.tried(small, { method: 'POST', headers, body })).status, 413);
    const denied = policyOf(1, { clients: { denied: ['192.0.2.0/24', '2001:db8::/32'] } });
    assert.equal((await one.tried(denied)).matches[0]?.message, 'Network is denied');
    assert.equal((await one.tried(denied, { address: '2001:db8::7' })).verdict, 'blocked');
    assert.notEqual((await one.tried(denied, { address: '198.51.100.7' })).verdict, 'blocked');
    const exclusions = [exclusionOf({ rule: 942100, path: '/a', parameter: { part: 'argument', name: 'q' } })];
    const excluded = policyOf(1, { exclusions });
    assert.notEqual((await one.tried(excluded, { uri: `/a?q=${SQLI}` })).verdict, 'blocked');
    assert.equal((await one.tried(excluded, { uri: `/a?q=${SQLI}`, host: 'other.example.com' })).verdict, 'blocked');
  });

  it('tells countries by the file of the operator, and lets an address of none through no list of those that may', async () => {
    await using place = await newFolder();
    const file = join(place.path, 'countries.mmdb');
    await writeFile(file, countryFile({ '198.51.100.0/24': 'US', '203.0.113.0/25': 'DE' }));
    await using one = await bench(file);
    const verdictFor = async (clients: Parameters<typeof policyOf>[1] & object, address: string) => {
      const { verdict, matches } = await one.tried(policyOf(1, clients), { address });
      return [verdict === 'blocked', matches.find(({ rule }) => rule < 100)?.message];
    };
    const american = { clients: { allowed_countries: ['DE', 'US'] } };
    assert.deepEqual(await verdictFor(american, AMERICAN), [false, undefined]);
    assert.deepEqual(await verdictFor(american, GERMAN), [false, undefined]);
    assert.deepEqual(await verdictFor({ clients: { allowed_countries: ['DE'] } }, AMERICAN), [
      true,
      'Country is not allowed',
    ]);
    assert.deepEqual(await verdictFor({ clients: { denied_countries: ['US'] } }, AMERICAN), [
      true,
      'Country is denied',
    ]);
    assert.deepEqual(await verdictFor({ clients: { denied_countries: ['US'] } }, OF_NO_COUNTRY), [false, undefined]);
    assert.deepEqual(await verdictFor(american, OF_NO_COUNTRY), [true, 'Country is not allowed']);
  });

  it('refuses what cannot be tried, in words', async () => {
    await using one = await bench();
    const broken = policyOf(1, { rules: [ruleOf({ when: [{ name: 'x', test: 'matches', values: ['(unclosed'] }] })] });
    await assert.rejects(one.tried(broken), /does not take this policy: .*parenthesis|missing \)/);
    await assert.rejects(one.tried(policyOf(1, { mode: 'off' })), /its mode is off/);
    await assert.rejects(one.tried(policyOf(1, { clients: { allowed_countries: ['DE'] } })), /MESH_WAF_COUNTRIES/);
    for (const wrong of [
      { uri: '/ HTTP/1.1\r\nX: y' },
      { headers: [{ name: 'a', value: 'b\r\nc: d' }] },
      { address: 'x' },
    ]) {
      await assert.rejects(one.tried(policyOf(1), wrong));
    }
    assert.deepEqual(await one.left(), { files: [], processes: 0 });
  });

  it('ends with the agent, and with its time', async () => {
    await using one = await bench();
    const stopping = new AbortController();
    const trial = one.bench.try(probeOf(policyOf(1)), stopping.signal);
    setImmediate(() => stopping.abort());
    await assert.rejects(trial);
    await assert.rejects(
      one.bench.try({ ...probeOf(policyOf(1)), within_ms: 1 }, new AbortController().signal),
      /in time/,
    );
    assert.deepEqual(await one.left(), { files: [], processes: 0 });
  });

  it('sweeps what an agent left that was killed', async () => {
    await using one = await bench();
    await mkdir(join(one.folder, 'waf-test-abc'));
    await writeFile(join(one.folder, 'waf-test-abc', 'x'), '');
    await writeFile(join(one.folder, 'other'), '');
    await one.bench.sweep();
    assert.deepEqual((await one.left()).files, ['other']);
  });
});

/** What is written for ModSecurity means what the record says, or is refused: whatever stands in it. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WafAssignment } from '@meshwork/contract';
import fc from 'fast-check';
import { newFolder } from '../../../../test/new-folder.ts';
import { readSecLang } from '../../../../test/seclang-reader.ts';
import { exclusionOf, policyOf, ruleOf } from '../../../../test/waf-section.ts';
import { runCommand } from '../../../host/run-command.ts';
import { GatewayFolder } from '../gateway-folder.ts';
import { tryRules } from './engine-trial.ts';
import { patternsOf } from './operator-rules.ts';
import { RuleInventory } from './rule-inventory.ts';
import { rulesText } from './rules-text.ts';

const set = {
  major: 4,
  inventory: new RuleInventory([
    { id: 942_100, tags: ['attack-sqli'], paranoia: 1 },
    { id: 949_110, tags: ['attack-sqli'], paranoia: 0 },
  ]),
  paths: [],
};
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const BREAKERS = ['"', '\\', '\\"', '%{tx.0}', '%{', "'", ',', '@rx ', '!@', '|', ':', '#', '"\\', 'phase:1', ')', '('];
const value = fc.string({ unit: fc.constantFrom(...PRINTABLE, ...BREAKERS), minLength: 1, maxLength: 40 });
const anything = fc.string({
  unit: fc.constantFrom(...BREAKERS, '\n', '\0', '\r', 'ä', 'a'),
  minLength: 1,
  maxLength: 12,
});
const test_name = fc.constantFrom('equals', 'begins_with', 'ends_with', 'contains');

function textOf(policy: WafAssignment): string {
  return rulesText({ policies: [policy], set, temp: '/t', audit_log: '/a', countries: undefined });
}

/** The pattern of the only rule that looks at the argument `x`. */
function patternIn(text: string): string {
  const found = readSecLang(text).filter(({ variables }) => variables === 'ARGS:x');
  assert.equal(found.length, 1);
  return found[0]?.operator.replace(/^@rx /, '') ?? '';
}

function asRegExp(pattern: string): RegExp {
  const ours = pattern.replaceAll('\\A', '^').replaceAll('\\z', '$').replaceAll('(?-m:', '(?:');
  return new RegExp(ours, 's');
}

test('a value is matched by itself, and ends nothing', () => {
  fc.assert(
    fc.property(value, test_name, fc.boolean(), (text, name, negated) => {
      const rules = [ruleOf({ when: [{ name: 'x', test: name, values: [text], negated }] })];
      const written = textOf(policyOf(1, { rules }));
      const pattern = patternIn(written);
      assert.doesNotMatch(pattern, /["%]/, 'no end of the text, and no macro');
      const read = asRegExp(pattern);
      assert.ok(read.test(text));
      if (name === 'equals') for (const other of [`${text}x`, `x${text}`, `${text}\n`]) assert.ok(!read.test(other));
      assert.equal(
        readSecLang(written).length,
        readSecLang(
          textOf(policyOf(1, { rules: [ruleOf({ when: [{ name: 'x', test: name, values: ['a'], negated }] })] })),
        ).length,
      );
    }),
    { numRuns: 300 },
  );
});

test('what cannot be written is refused', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const rules = [ruleOf({ when: [{ name: 'x', test: 'contains', values: [text] }] })];
      if (/^[\x20-\x7e]*$/.test(text)) assert.ok(asRegExp(patternIn(textOf(policyOf(1, { rules })))).test(text));
      else assert.throws(() => textOf(policyOf(1, { rules })), /has .* in it/);
    }),
    { numRuns: 300 },
  );
  const refused = [
    policyOf(1, { rules: [ruleOf({ name: "a',deny", when: [{ test: 'is_there' }] })] }),
    policyOf(1, { rules: [ruleOf({ when: [{ name: 'x y', test: 'is_there' }] })] }),
    policyOf(1, { rules: [ruleOf({ when: [{ name: 'x', test: 'matches', values: ['a\\'] }] })] }),
    policyOf(1, { rules: [ruleOf({ when: [{ name: 'x', test: 'matches', values: ['\\Q"'] }] })] }),
    policyOf(1, {
      rules: [ruleOf({ when: [{ part: 'address', test: 'in_networks', values: ['10.0.0.0/8" "deny'] }] })],
    }),
    policyOf(1, { exclusions: [exclusionOf({ rule: 942_100, parameter: { part: 'argument', name: 'q,deny' } })] }),
    { ...policyOf(1), id: 'waf_1"' },
    policyOf(1, { thresholds: { inbound: 1.5 } }),
  ];
  for (const policy of refused) assert.throws(() => textOf(policy), Error, JSON.stringify(policy));
});

test('a pattern of an operator keeps its meaning', () => {
  const cases = [
    ['^a%b"c$', 'a%b"c', true],
    ['^a%b"c$', 'x\na%b"c', false],
    ['\\"\\%', '"%', true],
    ['[%{]', '{', true],
    ['\\\\%', '\\%', true],
  ] as const;
  for (const [pattern, text, matches] of cases) {
    const rules = [ruleOf({ when: [{ name: 'x', test: 'matches', values: [pattern] }] })];
    const written = patternIn(textOf(policyOf(1, { rules })));
    assert.doesNotMatch(written, /["%]/);
    assert.equal(asRegExp(written).test(text), matches, pattern);
  }
});

test('an exclusion by a tag leaves the rules that judge', () => {
  const text = textOf(policyOf(1, { exclusions: [exclusionOf({ tag: 'attack-sqli' })] }));
  assert.match(text, /ruleRemoveById=942100/);
  assert.doesNotMatch(text, /949110/);
});

test('the engine takes what is written, and not a pattern that is none', async () => {
  await using outside = await newFolder();
  await chmod(outside.path, 0o755);
  const folder = new GatewayFolder(join(outside.path, 'gateway'));
  await folder.prepare();
  await folder.folder('waf');
  const whens = fc.sample(fc.tuple(value, test_name), { numRuns: 90, seed: 1 });
  const rules = whens.map(([text, name]) => ruleOf({ when: [{ name: 'x', test: name, values: [text] }] }));
  const tried = (policy: WafAssignment) =>
    tryRules(folder, runCommand, {
      rules: textOf(policy)
        .replace('/t\n', `${folder.path}\n`)
        .replace('SecTmpDir /t', `SecTmpDir ${folder.path}`)
        .replace('SecDataDir /t', `SecDataDir ${folder.path}`)
        .replace('SecAuditLog /a', 'SecAuditLog /dev/null'),
      patterns: patternsOf(policy.rules.rules),
    });
  await tried(
    policyOf(1, {
      rules,
      requests: {
        content_types: ['image/*', 'a/b+c.d'],
        denied_extensions: ['php'],
        arguments_most: 1,
        argument_bytes: 1,
        file_bytes: 1,
      },
      inspect_responses: true,
      early_blocking: true,
    }),
  );
  const broken = [ruleOf({ when: [{ name: 'x', test: 'matches', values: ['(unclosed'] }] })];
  await assert.rejects(tried(policyOf(1, { rules: broken })), /missing closing parenthesis|missing \)/);
});

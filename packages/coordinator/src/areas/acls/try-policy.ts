import { parseAddress } from '@meshwork/addresses';
import { MAX_SUBJECTS, type PolicyWarning } from '@meshwork/contract';
import {
  type Directory,
  Engine,
  newMeanings,
  Ownership,
  type PolicyDocument,
  preview,
  readPolicy,
  runTests,
} from '@meshwork/policy';
import { lapsedGrants } from '../../mesh/lapsed-grants.ts';
import type { Difference, Trial, TrialNode, TrialRequest } from './trial.ts';

/** What a policy would be with the nodes there are. Nothing is put into effect. */
export function tryPolicy(
  { text, now_ms, before, compared }: Pick<TrialRequest, 'text' | 'now_ms' | 'before' | 'compared'>,
  nodes: readonly TrialNode[],
): Trial {
  const reading = readPolicy(text);
  if (!reading.ok) {
    const problems = reading.problems.map(({ pointer, detail, line, column }) => ({ pointer, detail, line, column }));
    return { ok: false, problems, more: reading.more };
  }
  const { document } = reading;
  const lapsed = new Set(lapsedGrants(document, now_ms));
  return {
    ok: true,
    failed_tests: failedTests({ document, lapsed }, nodes),
    warnings: warningsOf(readBefore(before), document, nodes),
    difference: compared ? differenceTo(before, { document, lapsed }, nodes) : undefined,
  };
}

function readBefore({ text }: TrialRequest['before']): PolicyDocument {
  const reading = readPolicy(text);
  if (!reading.ok) throw new Error('The policy in effect cannot be read any more.');
  return reading.document;
}

function warningsOf(before: PolicyDocument, after: PolicyDocument, nodes: readonly TrialNode[]): PolicyWarning[] {
  const meanings = newMeanings(new Ownership(before), new Ownership(after), nodes);
  return meanings.map(({ tag, entry, detail, nodes: carriers }) => ({
    pointer: entry.written ? `/${entry.table}/${entry.key}` : '',
    tag,
    detail,
    count: carriers.length,
    nodes: carriers.slice(0, MAX_SUBJECTS).map(({ id, name }) => ({ kind: 'node', id, name })),
  }));
}

interface Meant {
  readonly document: PolicyDocument;
  readonly lapsed: ReadonlySet<number>;
}

/**
 * The tests in it that do not hold. They test the policy: a laptop that is switched off this minute must not keep an
 * operator from changing it, so every node counts as online.
 */
function failedTests({ document, lapsed }: Meant, nodes: readonly TrialNode[]) {
  if (document.tests.length === 0) return [];
  const fresh = nodes.map((node) => (node.fresh ? node : { ...node, fresh: true }));
  return runTests(Engine.compile({ document, lapsed, nodes: fresh }), directoryOf(nodes));
}

/** How names and addresses in tests are found. */
function directoryOf(nodes: readonly TrialNode[]): Directory {
  const byName = new Map(nodes.map(({ id, name }) => [name, id]));
  const byAddress = new Map(
    nodes.flatMap(({ id, address, address6 }) => [address, address6].map((one) => [keyOf(one), id] as const)),
  );
  return {
    byName: (name) => byName.get(name),
    byAddress: (address) => byAddress.get(keyOf(address)),
    names: () => byName.keys(),
  };
}

/** One for all spellings of an address. */
function keyOf(address: string): string {
  const parsed = parseAddress(address);
  return parsed === undefined ? '' : `${parsed.family} ${parsed.value}`;
}

function differenceTo(before: TrialRequest['before'], after: Meant, nodes: readonly TrialNode[]): Difference {
  const now = Engine.compile({ document: readBefore(before), lapsed: new Set(before.lapsed), nodes });
  const { opens, closes, touched } = preview(now, Engine.compile({ ...after, nodes }));
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const named = touched.map((id) => ({ id, name: names.get(id) ?? id }));
  return { opens, closes, touched: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

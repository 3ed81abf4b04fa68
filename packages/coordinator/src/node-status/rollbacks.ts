/** What nodes rolled back because it cut them off: written down when a heartbeat says so, until one says otherwise. */
import { isDeepStrictEqual } from 'node:util';
import { APPLIED_SECTIONS, type AppliedSection, type RolledBack } from '@meshwork/contract';
import type { RollbackDocument } from '../kinds/nodes.ts';
import type { Stored, View } from '../mesh/model.ts';
import { aboutNode } from '../mesh/node-state.ts';
import type { Transaction } from '../mesh/transaction.ts';
import type { NodeStatus } from './node-status.ts';

export type Rollbacks = RollbackDocument['sections'];

/** Sections that people call by another name. */
const SECTION_WORDS: Readonly<Partial<Record<AppliedSection, string>>> = {
  self: 'its own addresses',
  acl: 'policy',
  firewall: 'rule set',
  ingress: 'ingresses',
};

/** As of the last heartbeat. A section that an agent has not reported since it started is as it was. */
export function rollbacksOf(view: View, node: string, { applied }: Pick<NodeStatus, 'applied'>): Rollbacks {
  const written = view.get('rollback', node)?.body.sections ?? {};
  const sections: { [S in AppliedSection]?: RolledBack } = {};
  for (const section of APPLIED_SECTIONS) {
    const now = applied[section] === undefined ? written[section] : applied[section].rolled_back;
    if (now !== undefined) sections[section] = now;
  }
  return sections;
}

export function rollbacksDiffer(view: View, node: string, rollbacks: Rollbacks): boolean {
  return !isDeepStrictEqual(view.get('rollback', node)?.body.sections ?? {}, rollbacks);
}

/** Writes one event for each rollback, also when the agent or the coordinator restarts in between. */
export function writeRollbacks(tx: Transaction, node: Stored<'node'>, rollbacks: Rollbacks): void {
  const old = tx.get('rollback', node.id)?.body.sections ?? {};
  const sections = namesOf(rollbacks);
  const { name } = node.body;
  if (sections.length === 0) {
    tx.delete('rollback', node.id);
    tx.emit({ ...aboutNode(node), type: 'node.rollback_cleared', data: { name, sections: namesOf(old) } });
    return;
  }
  tx.put('rollback', node.id, { sections: rollbacks });
  const fresh = sections.filter((section) => !isDeepStrictEqual(old[section], rollbacks[section]));
  if (fresh.length === 0) return;
  const reason = rollbackWords(Object.fromEntries(fresh.map((section) => [section, rollbacks[section]])));
  tx.emit({ ...aboutNode(node), type: 'node.rolled_back', data: { name, sections: fresh, reason } });
}

/** `No heartbeat was answered within 60 s after rule set 448`, for each of them. */
export function rollbackWords(rollbacks: Rollbacks): string {
  const sentences = namesOf(rollbacks).map((section) => {
    const { revision, after_s } = rollbacks[section] as RolledBack;
    return `no heartbeat was answered within ${after_s} s after ${SECTION_WORDS[section] ?? section} ${revision}`;
  });
  return sentences.join('; ');
}

function namesOf(rollbacks: Rollbacks): AppliedSection[] {
  return APPLIED_SECTIONS.filter((section) => rollbacks[section] !== undefined);
}

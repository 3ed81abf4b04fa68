import type { AuditEntry } from '@meshwork/contract';
import { also, noun, panelNoun } from '../../derived/noun.ts';
import { exportAudit } from './export-audit.ts';
import { auditVerify, printReport } from './verify.ts';

/** What both reading and exporting can be narrowed by. */
const FILTERS = {
  actor: { value: 'id', help: 'only entries of this actor' },
  token: { value: 'id', help: 'only entries with this token (its id, never its secret)' },
  action: { help: 'only this action, such as tokens.revoke' },
  target: { value: 'id', help: 'only entries about this target' },
  from: { help: 'only entries since then: a timestamp, or a duration back from now such as 2h' },
  to: { help: 'only entries before then: a timestamp, or a duration back from now' },
  outcome: { help: 'only these' },
};

export const audit = noun({
  noun: 'audit',
  areas: ['audit'],
  thing: 'entry',
  ids: 'audit',
  watches: ['*'],
  commands: {
    'audit.list': {
      summary: 'List audit records, newest first',
      description: 'List audit records, newest first.',
      parameters: FILTERS,
      columns: [
        ['TIME', ({ at }) => at],
        ['ACTOR', ({ actor }) => actor.name],
        ['ACTION', ({ action }) => action],
        ['TARGET', ({ target }) => target?.id ?? '-'],
        ['OUTCOME', outcomeText],
      ],
      ordered: true,
    },
    'audit.verify': { made: auditVerify },
  },
  more: [also('audit.list', exportAudit(FILTERS))],
});

/** The panel keeps its own: who signed in, and what was done to whom. */
export const panelAudit = panelNoun({
  noun: 'panel-audit',
  areas: ['trail'],
  thing: 'entry',
  description: 'The audit trail of the panel: sign-ins, and changes to users and sessions.',
  commands: {
    'trail.list': {
      summary: 'List audit records of the panel, newest first',
      description: 'List audit records of the panel, newest first.',
      columns: [
        ['TIME', ({ at }) => at],
        ['ACTOR', ({ actor }) => actor.name],
        ['ACTION', ({ action }) => action],
        ['TARGET', ({ target }) => target?.id ?? '-'],
        ['OUTCOME', ({ outcome, code }) => (code === null ? outcome : `${outcome} (${code})`)],
        ['ADDRESS', ({ address }) => address ?? '-'],
      ],
      ordered: true,
    },
    'trail.verify': {
      summary: 'Verify the audit records of the panel',
      run: async ({ send, out }) => printReport(await send(), out),
    },
  },
});

function outcomeText({ outcome, code, count }: AuditEntry): string {
  const why = code === null ? outcome : `${outcome} (${code})`;
  return count === 1 ? why : `${why} × ${count}`;
}

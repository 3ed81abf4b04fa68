import type { CompiledFirewall, RolledBack } from '@meshwork/contract';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';
import type { CommandWords } from '../../words/command-words.ts';
import { findingLines } from './finding-text.ts';

/** What stands below is what it should be. This is not in effect, and the reader must not take it for it. */
function rollbackLine({ revision, after_s, at }: RolledBack): string {
  const why = `no heartbeat was answered within ${after_s} s after rule set ${revision}`;
  return printable(`NOT IN EFFECT, rolled back ${when(at)}: ${why}. It is not tried again until it changes.`);
}

/** The rule set goes to standard output as nftables loads it; what is said of it to standard error. */
export const compiledForNode: CommandWords<CompiledFirewall> = {
  arguments: ['id'],
  parameters: { id: { flag: 'node', completes: 'node' } },
  async run({ send, out }) {
    const answer = await send();
    if (out.json) return out.result(answer, () => '');
    const { name, rules, revision, rolled_back, findings, text } = answer;
    out.notice(printable(`${name}: ${counted(rules.length, 'host rule')}, mesh revision ${revision}`));
    if (rolled_back !== null) out.notice(rollbackLine(rolled_back));
    for (const line of findingLines(findings)) out.notice(line);
    await out.verbatim(text.endsWith('\n') ? text : `${text}\n`);
  },
};

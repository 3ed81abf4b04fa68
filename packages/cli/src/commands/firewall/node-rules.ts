import type { CompiledFirewall, RolledBack } from '@meshwork/contract';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';
import type { CommandWords } from '../../words/command-words.ts';
import { findingLines } from './finding-text.ts';

/** The rules that are printed are the desired ones: this line says that they are not in effect. */
function rollbackLine({ revision, after_s, at }: RolledBack): string {
  const why = `no heartbeat was answered within ${after_s} s after rule set ${revision}`;
  return printable(`NOT IN EFFECT, rolled back ${when(at)}: ${why}. It is not tried again until it changes.`);
}

/** The rule set goes to standard output as nftables loads it, details about it to standard error. */
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

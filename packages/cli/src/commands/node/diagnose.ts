import type { Command } from 'commander';
import { waitSeconds } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { printableText } from '../../terminal-text.ts';
import { type Followed, finishOperation } from '../operation/follow.ts';
import { operationFields } from '../operation/operation-fields.ts';
import { nodeIdOf } from './find-node.ts';

/** Follows it without being told to: whoever asks wants the answer. */
export function nodeDiagnose(): Command {
  return operationCommand('diagnose', 'nodes.diagnose')
    .argument('<node>', 'id or name of the node')
    .option('--timeout <time>', 'wait for so many seconds, or such as 5m (default: until its end)', waitSeconds)
    .action(async (node: string, options: { readonly timeout?: number }, command: Command) => {
      const session = await openSession(command);
      const id = await nodeIdOf(session.client, node);
      const { body } = await session.client.call('nodes.diagnose', { params: { id }, body: {} });
      await finishOperation(session, body, options.timeout, diagnosisText);
    });
}

/** The answer, or why there is none. */
function diagnosisText(operation: Followed): string {
  const { result } = operation;
  return result == null ? operationFields(operation) : printableText(indented(result));
}

/** What the node says is shown as it is when it cannot be laid out, being nested too deep. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

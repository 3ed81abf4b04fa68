import type { NodeOperation } from '@meshwork/contract';
import { Option } from 'commander';
import { waitSeconds } from '../../arguments.ts';
import { type Followed, finishOperation } from '../../print/followed-operation.ts';
import { operationFields } from '../../print/operation-fields.ts';
import { printableText } from '../../terminal-text.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';

/** Always waits: the result of the node is the output. */
export const diagnose: CommandWords<NodeOperation> = {
  summary: 'Diagnose a node',
  description:
    'Run the diagnostics of a node, and print the result as JSON. Nothing is changed. Pending and quarantined nodes can be diagnosed too.',
  options: () => [
    new Option('--timeout <time>', 'how long to wait: seconds, or such as 5m (default: until it ends)').argParser(
      waitSeconds,
    ),
  ],
  async run({ session, options, send }: Running<NodeOperation>) {
    await finishOperation(session, await send(), options.timeout as number | undefined, diagnosisText);
  },
};

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

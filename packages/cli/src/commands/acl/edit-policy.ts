import type { Client } from '@meshwork/client';
import type { Policy } from '@meshwork/contract';
import type { Ask } from '../../ask.ts';
import type { Draft } from '../../editor.ts';
import { Failure } from '../../failure.ts';
import { sendingText } from '../../refused-text.ts';
import { previewText } from './preview-text.ts';
import { validationText } from './validation-text.ts';

export const DRAFT_NAME = 'policy.jsonc';

interface Editing {
  readonly client: Client;
  readonly draft: Pick<Draft, 'edit'>;
  /** Undefined: no question is asked, and what can be put into effect is. */
  readonly ask: Ask | undefined;
  readonly tell: (text: string) => void;
  readonly note: string | undefined;
  readonly before: Policy;
  readonly if_match: string | undefined;
}

/**
 * Edits until it can be put into effect and the person wants that. Undefined: it was left as it was. Giving up with a
 * changed text is a failure, so that the text is kept.
 */
export async function editPolicy(editing: Editing): Promise<Policy | undefined> {
  const { client, draft, ask, tell, note, before, if_match } = editing;
  for (;;) {
    const text = await draft.edit();
    if (text === before.text) return undefined;
    const source = { name: DRAFT_NAME, text };
    const validation = (await client.call('acls.validate', { body: text })).body;
    if (!validation.valid) {
      tell(validationText(source, validation));
      if (ask !== undefined && isYes(await ask('Edit it again? [Y/n] '), 'y')) continue;
      throw new Failure('the policy was not changed', { exit: 'usage', code: 'policy_invalid' });
    }
    tell(previewText((await client.call('acls.preview', { body: text })).body));
    const choice = ask === undefined ? 'y' : await ask('Apply it? [y/N/e to edit again] ');
    if (/^e/i.test(choice.trim())) continue;
    if (!isYes(choice, 'n')) throw new Failure('the policy was not changed', { exit: 'failed', code: 'given_up' });
    return (await sendingText(source, (body) => client.call('acls.replace', { query: { note }, body, if_match }))).body;
  }
}

function isYes(answer: string, otherwise: 'y' | 'n'): boolean {
  return /^y/i.test(answer.trim() || otherwise);
}

import type { Token } from '@meshwork/contract';
import type { Ask } from '../../ask.ts';
import { Failure } from '../../failure.ts';
import { scopeText } from '../../rights-text.ts';
import { table } from '../../table.ts';
import { printable } from '../../terminal-text.ts';

interface Decision {
  /** What the flags say. Undefined: nothing. */
  readonly wanted: boolean | undefined;
  /** Undefined: they cannot be listed. */
  readonly find: () => Promise<readonly Token[] | undefined>;
  /** Undefined: there is no terminal to ask on. */
  readonly ask: Ask | undefined;
  readonly tell: (text: string) => void;
}

/**
 * Whether what a token made ends with it. Without a terminal it stays: a script that worked before ends no more than it
 * did, and the leaked token is gone either way.
 */
export async function decideChildren({ wanted, find, ask, tell }: Decision): Promise<boolean> {
  if (wanted !== undefined) return wanted;
  const children = await find();
  if (children === undefined) {
    tell(
      'The tokens that it made cannot be listed: that needs tokens:read. They stay valid unless --with-children is given.',
    );
    return false;
  }
  if (children.length === 0) return false;
  const many = children.length === 1 ? '1 token that still works' : `${children.length} tokens that still work`;
  tell(`It made ${many}:\n`);
  tell(`${listed(children)}\n`);
  if (ask === undefined) {
    tell('They stay valid. To revoke them too, run it again with --with-children.');
    return false;
  }
  const answer = (await ask('Revoke them too? [y] yes, [k] keep them, anything else cancels: ')).trim().toLowerCase();
  if (answer === 'y' || answer === 'yes') return true;
  if (answer === 'k' || answer === 'keep') return false;
  throw new Failure('nothing was revoked', { exit: 'failed', code: 'given_up' });
}

function listed(tokens: readonly Token[]): string {
  const rows = tokens.map(({ id, name, state, role, scope }) => [id, printable(name), state, role, scopeText(scope)]);
  return table(['ID', 'NAME', 'STATE', 'ROLE', 'TEAM / SURFACE / ENVIRONMENT'], rows, (text) => text).trimEnd();
}

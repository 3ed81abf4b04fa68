import type { Token } from '@meshwork/contract';
import { type ConfirmOptions, useConfirm } from '../../ui/confirm.tsx';
import { TokensToEnd } from './tokens-to-end.tsx';

/** Asks before a person is changed, with the tokens that it revokes. Undefined: they changed their mind. */
export function useEndingConfirm(): (
  options: ConfirmOptions,
  tokens: readonly Token[] | null,
) => Promise<{ readonly keep_tokens?: true } | undefined> {
  const confirm = useConfirm();
  return async (options, tokens) => {
    let keep = false;
    const onKeep = (wanted: boolean) => {
      keep = wanted;
    };
    const extra = <TokensToEnd tokens={tokens} onKeep={onKeep} />;
    if (!(await confirm({ ...options, extra }))) return undefined;
    return keep ? { keep_tokens: true } : {};
  };
}

import type { TokenWithSecret } from '@meshwork/contract';
import { Option } from 'commander';
import { Failure, reasonOf } from '../../failure.ts';
import { reserveSecretFile } from '../../new-file.ts';
import type { Output } from '../../output.ts';
import { printable } from '../../terminal-text.ts';
import { tokenFields } from './token-fields.ts';

export function secretFileOption(): Option {
  return new Option('--secret-file <file>', 'write the secret to this new file (mode 600) instead of printing it');
}

/** Makes a token and hands its secret over, once: on the screen, or in a file whose place is taken beforehand. */
export async function handOverSecret(
  out: Output,
  file: string | undefined,
  make: () => Promise<TokenWithSecret>,
): Promise<void> {
  if (file === undefined) {
    const token = await make();
    return out.result(token, () => {
      const secret = out.strong(printable(token.secret));
      return `${tokenFields(token)}\n\nThe secret, which is shown only now:\n\n${secret}\n`;
    });
  }
  const place = await reserveSecretFile(file);
  const { secret, ...token } = await make().catch(async (error: unknown) => {
    await place.giveBack();
    throw error;
  });
  await place.keep(secret).catch((error: unknown) => {
    const message = `the secret of ${token.id} could not be written to ${file}: ${reasonOf(error)}`;
    const hint = `mesh token revoke ${token.id}, then make another`;
    throw new Failure(message, { exit: 'failed', code: 'file_failed', hint, cause: error });
  });
  await out.result(token, () => tokenFields(token));
  out.notice(`\nThe secret is in ${file}.`);
}

import type { Invitation } from '@meshwork/contract';
import { Option } from 'commander';
import { Failure, reasonOf } from '../../failure.ts';
import { reserveSecretFile } from '../../new-file.ts';
import type { Output } from '../../output.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { userFields } from './user-fields.ts';

export function linkFileOption(): Option {
  return new Option(
    '--link-file <file>',
    'write the invitation link to this new file (mode 600) instead of printing it',
  );
}

/** Invites a user and hands the link over, once: on the screen, or in a file whose place is taken beforehand. */
export async function handOverLink(
  out: Output,
  file: string | undefined,
  invite: () => Promise<Invitation>,
): Promise<void> {
  if (file === undefined) {
    const invitation = await invite();
    const { user, url, expires } = invitation;
    return out.result(invitation, () => {
      const link = out.strong(printable(url));
      return `${userFields(user)}\n\nThe invitation link, which is shown only now and works once until ${when(expires)}:\n\n${link}\n`;
    });
  }
  const place = await reserveSecretFile(file);
  const {
    url,
    code: _,
    ...rest
  } = await invite().catch(async (error: unknown) => {
    await place.giveBack();
    throw error;
  });
  await place.keep(url).catch((error: unknown) => {
    const message = `the invitation link could not be written to ${file}: ${reasonOf(error)}`;
    const hint = `mesh user invite ${rest.user.name}, which makes a new link`;
    throw new Failure(message, { exit: 'failed', code: 'file_failed', hint, cause: error });
  });
  await out.result(rest, () => userFields(rest.user));
  out.notice(`\nThe invitation link is in ${file}. It works once until ${when(rest.expires)}.`);
}

import { MeshError, type UserId } from '@meshwork/contract';
import { isSameSecret } from '@meshwork/service';
import type { Stored, View } from '../../ledger/documents.ts';
import { hashOfCode } from '../../users/secret-code.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { ensureGoodPassword } from './password-policy.ts';

export function showInvitation({ ledger }: PanelParts, call: Call<'invitation.show'>): Reply<'invitation.show'> {
  const { user, expires } = invited(ledger, call.body.code, call.now_ms);
  const { name, display_name } = user.body;
  return { body: { name, display_name, expires } };
}

export async function acceptInvitation(
  parts: PanelParts,
  call: Call<'invitation.accept'>,
): Promise<Reply<'invitation.accept'>> {
  const { code, password } = call.body;
  const { user } = invited(parts.ledger, code, call.now_ms);
  const display_name = call.body.display_name ?? user.body.display_name;
  ensureGoodPassword(password, { name: user.body.name, display_name });
  const hashed = await parts.passwords.hash(password);
  return finishSignIn(parts, call, (tx) => {
    const { user: current } = invited(tx, code, tx.now_ms); // once more: it works once
    tx.delete('invitation', current.id);
    const accepted = tx.put('user', current.id, { ...current.body, display_name, password: hashed, state: 'active' });
    return { user: accepted, method: 'invitation' };
  });
}

function invited(view: View, code: string, now_ms: number): { user: Stored<'user'>; expires: string } {
  const given = hashOfCode(code);
  for (const { id, body } of view.all('invitation')) {
    if (!isSameSecret(given, body.code_sha256)) continue;
    const user = view.get('user', id as UserId);
    if (user?.body.state === 'invited' && now_ms < Date.parse(body.expires)) return { user, expires: body.expires };
  }
  throw new MeshError('invitation_invalid', 'The invitation is invalid, already used or expired.');
}

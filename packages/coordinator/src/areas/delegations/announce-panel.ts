import { PANEL_ID } from '../../kinds/sign-in.ts';
import type { Call, Reply } from '../handler.ts';

/** Written only when it changes: panels say it whenever they start. */
export function announcePanel(call: Call<'delegations.announce'>): Promise<Reply<'delegations.announce'>> {
  const { url } = call.body;
  return call.transact((tx) => {
    const before = tx.get('panel', PANEL_ID)?.body.url;
    if (before !== url) {
      tx.put('panel', PANEL_ID, { url });
      tx.record({ target: { kind: 'panel', id: PANEL_ID }, detail: `people sign in at ${url}` });
    }
    return { body: { url } };
  });
}

import { covers, type OutsideAuthority, type Scope } from '@meshwork/contract';
import { accountId, type Where } from '../../acme-client/outside-accounts.ts';
import type { Stored, View } from '../../mesh/model.ts';

type Account = OutsideAuthority['account'];

/** As the caller sees it: orders outside the scope of `viewer` are not counted. No key is in a record. */
export function outsideRecord(
  view: View,
  { id, body, revision }: Stored<'outside_authority'>,
  viewer: Scope,
): OutsideAuthority {
  const { eab_key: _, contacts, ...rest } = body;
  const orders = [...view.all('certificate_order')].filter(
    (order) => order.body.authority === id && covers(viewer, order.body.scope) && order.body.unneeded_since === null,
  );
  const live = view.get('outside_account', accountId(id, 'live'))?.body;
  return {
    id,
    ...rest,
    contacts: [...contacts],
    terms: live?.terms ?? null,
    account: accountOf(view, id, 'live'),
    staging_account: body.staging_directory === null ? null : accountOf(view, id, 'staging'),
    paused_until: live?.paused_until ?? null,
    orders: orders.length,
    certificates: orders.filter((order) => view.get('given_certificate', order.id) !== undefined).length,
    revision,
  };
}

function accountOf(view: View, authority: string, where: Where): Account {
  const account = view.get('outside_account', accountId(authority, where))?.body;
  const { state = 'none', url = null, created_at = null, problem = null } = account ?? {};
  return { state, url, created_at, problem };
}

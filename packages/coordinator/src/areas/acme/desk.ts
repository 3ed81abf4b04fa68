import type { AccountId } from '@meshwork/contract';
import { RateLimit } from '@meshwork/service';
import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import type { Runtime } from '../runtime.ts';
import { Decisions } from './decisions.ts';
import { SharedNonces } from './nonce-messages.ts';

/** What all of the protocol shares. */
export interface Desk extends Pick<Runtime, 'mesh' | 'directory' | 'signing' | 'tries_acme_client'> {
  readonly nonces: SharedNonces;
  readonly limit: RateLimit;
  readonly indexes: AcmeIndexes;
  readonly decisions: Decisions;
}

interface AcmeIndexes {
  /** Orders by account. */
  readonly orders: IdIndex;
  /** Authorizations by account and name: `authorizationKey`. */
  readonly authorizations: IdIndex;
}

export function acmeIndexes(model: Model): AcmeIndexes {
  return {
    orders: new IdIndex(model, ['acme_order'], (id) => {
      const order = model.get('acme_order', id)?.body;
      return order === undefined ? [] : [order.account];
    }),
    authorizations: new IdIndex(model, ['acme_authorization'], (id) => {
      const authorization = model.get('acme_authorization', id)?.body;
      return authorization === undefined ? [] : [authorizationKey(authorization)];
    }),
  };
}

export function authorizationKey({ account, name }: { readonly account: AccountId; readonly name: string }): string {
  return `${account} ${name}`;
}

export function openDesk(runtime: Runtime, indexes: AcmeIndexes): Desk {
  const { mesh, directory, signing, failed, tries_acme_client } = runtime;
  return {
    mesh,
    directory,
    signing,
    tries_acme_client,
    nonces: new SharedNonces(mesh.journal, failed),
    limit: new RateLimit(mesh.clock),
    indexes,
    decisions: new Decisions(mesh.model),
  };
}

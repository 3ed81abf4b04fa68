import type { AccountId } from '@meshwork/contract';
import { RateLimit } from '@meshwork/service';
import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import type { Runtime } from '../runtime.ts';
import { Decisions } from './decisions.ts';
import { SharedNonces } from './nonce-messages.ts';

/** What all of the protocol shares. */
export interface Desk extends Pick<Runtime, 'mesh' | 'directory' | 'signing'> {
  readonly nonces: SharedNonces;
  readonly limit: RateLimit;
  readonly indexes: AcmeIndexes;
  readonly decisions: Decisions;
  /** Whether something is to be made hard for the client this time: one of so many. Never outside of tests. */
  tries(one_of: number): boolean;
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
  const { mesh, directory, signing, failed, acme_hostile } = runtime;
  let wasTried = false;
  return {
    mesh,
    directory,
    signing,
    nonces: new SharedNonces(mesh.journal, failed),
    limit: new RateLimit(mesh.clock),
    indexes,
    decisions: new Decisions(mesh.model),
    tries: (one_of) => {
      // Never twice in a row: certbot and others try once more, and no server that only restarts refuses them again.
      wasTried = !wasTried && acme_hostile() && Math.random() * one_of < 1;
      return wasTried;
    },
  };
}

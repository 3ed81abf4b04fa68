import { createSecretKey } from 'node:crypto';
import { openEnvelope } from '@meshwork/service';
import { DataKeys } from '../src/mesh/data-keys.ts';
import { MasterKeys } from '../src/mesh/master-keys.ts';
import type { Vault } from '../src/mesh/mesh.ts';
import type { Model } from '../src/mesh/model.ts';

/** Of a model that is nowhere kept. */
export function testVault(model: Model): Vault {
  const key = createSecretKey(Buffer.alloc(32, 7));
  return {
    data_keys: new DataKeys(model, new MasterKeys([key])),
    unseal: (envelope, bound_to) => openEnvelope(key, envelope, bound_to),
  };
}

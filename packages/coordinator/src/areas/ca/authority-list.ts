import type { IncomingHttpHeaders } from 'node:http';
import { CRL_TYPE, MeshError, PEM_TYPE } from '@meshwork/contract';
import { type ChosenForm, chooseForm, contentTag } from '@meshwork/service';
import { listPem } from '../../issuing/authorities.ts';
import type { Model } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';

/** How long a cache may answer in our place: a revocation is not to be held back for longer. */
const MAX_AGE_S = 300;

/** One list as bytes, for programs that follow the address in a certificate: they want DER (RFC 5280, 4.2.1.13). */
export function authorityList(model: Model, call: Call<'ca.authority_crl'>): Reply<'ca.authority_crl'> {
  const { authority: asked } = call.params;
  const authority = [...model.all('authority')].find(({ id, body }) => id === asked || body.serial === asked);
  const list = authority === undefined ? undefined : model.get('revocation_list', authority.id)?.body;
  if (list === undefined) throw new MeshError('not_found', `There is no revocation list of an authority "${asked}".`);
  const isText = call.wants === PEM_TYPE;
  const bytes = isText ? Buffer.from(listPem(list)) : Buffer.from(list.list, 'base64');
  const left_s = Math.floor((Date.parse(list.next_at) - call.now_ms) / 1000);
  const caching = `public, max-age=${Math.max(0, Math.min(MAX_AGE_S, left_s))}`;
  const form = { type: isText ? PEM_TYPE : CRL_TYPE, etag: contentTag(bytes), bytes, encoded: {}, vary: 'accept' };
  const answer = async (headers: IncomingHttpHeaders): Promise<ChosenForm> => chooseForm(form, headers, caching);
  return { document: { answer } };
}

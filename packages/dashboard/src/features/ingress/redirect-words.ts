/** What each status of a redirect means to clients. */
import type { Ingress } from '@meshwork/contract';

export const REDIRECT_WORDS: Readonly<Record<Ingress['redirects'][number]['status'], string>> = {
  301: 'Permanent',
  302: 'Temporary',
  307: 'Temporary, keeps the method',
  308: 'Permanent, keeps the method',
};

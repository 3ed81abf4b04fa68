import type { Link } from '@meshwork/contract';

/** Which way the traffic of a link takes. */
export const PATH_WORDS: Readonly<Record<Link['path'], string>> = {
  direct: 'Direct',
  relay: 'Relayed',
  idle: 'Not in use',
  none: 'None yet',
  mixed: 'Direct one way, relayed the other',
  unknown: 'Unknown',
};

import { Anchor } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { IconExternalLink } from '@tabler/icons-react';
import classes from './ingress.module.css';
import { addressOf } from './ingress-words.ts';

interface HostnameLinkProps {
  readonly ingress: Pick<Ingress, 'hostname' | 'tls'>;
  /** True: with the scheme. */
  readonly isWhole?: boolean;
}

/** Opens what people outside see, in a tab that knows nothing of this one. */
export function HostnameLink({ ingress, isWhole = false }: HostnameLinkProps) {
  const address = addressOf(ingress);
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit className={classes.outside}>
      {isWhole ? address : ingress.hostname}
      <IconExternalLink size={14} aria-label="(opens in a new tab)" className={classes.icon} />
    </Anchor>
  );
}

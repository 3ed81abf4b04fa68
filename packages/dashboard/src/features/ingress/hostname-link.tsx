import { Anchor } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { IconExternalLink } from '@tabler/icons-react';
import classes from './ingress.module.css';
import { addressOf, KIND_WORDS } from './ingress-kinds.ts';

interface HostnameLinkProps {
  readonly ingress: Pick<Ingress, 'kind' | 'hostname' | 'port' | 'tls'>;
  /** True: with the scheme. */
  readonly isWhole?: boolean;
}

/** Opens what people outside see, in a tab that knows nothing of this one. What no browser opens is text, with its kind. */
export function HostnameLink({ ingress, isWhole = false }: HostnameLinkProps) {
  const { kind, hostname } = ingress;
  const address = addressOf(ingress);
  if (kind !== 'http') {
    return (
      <span className={classes.outside}>
        {kind === 'tls' && !isWhole ? hostname : address} <span className={classes.kind}>{KIND_WORDS[kind]}</span>
      </span>
    );
  }
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit className={classes.outside}>
      {isWhole ? address : hostname}
      <IconExternalLink size={14} aria-label="(opens in a new tab)" className={classes.icon} />
    </Anchor>
  );
}
